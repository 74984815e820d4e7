/** The terminal in front of which a person sits: what commands need that draw on it, or hand it to a program elsewhere. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string | Uint8Array): void;
  /** Calls back when the size has changed. */
  onResize(changed: () => void): Disposable;
  /**
   * Gives every byte that is typed to `typed`, at once, unchanged and unechoed; Ctrl-C is a byte too.
   *
   * Disposing restores the terminal, and so does the end of the process, however it comes.
   *
   * @param restore Escape sequences that undo what the caller does to the terminal.
   */
  takeOver(typed: (bytes: Uint8Array) => void, restore: string): Disposable;
}

/** Streams of a process, as far as they are a terminal. */
interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  on(event: "exit", listener: () => void): unknown;
  off(event: "exit", listener: () => void): unknown;
}

/** The terminal that a process was started in; `undefined` when input or output is something else. */
export function processTerminal(process: Streams): Terminal | undefined {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return undefined;
  return {
    get columns() {
      return stdout.columns;
    },
    get rows() {
      return stdout.rows;
    },
    write: (text) => void stdout.write(text),
    onResize(changed) {
      stdout.on("resize", changed);
      return { [Symbol.dispose]: () => void stdout.off("resize", changed) };
    },
    takeOver(typed, restore) {
      const undo = (): void => {
        stdin.setRawMode(false);
        if (restore !== "") stdout.write(restore);
      };
      stdin.setRawMode(true);
      stdin.on("data", typed);
      stdin.resume();
      process.on("exit", undo);
      return {
        [Symbol.dispose]() {
          process.off("exit", undo);
          stdin.off("data", typed);
          stdin.pause();
          undo();
        },
      };
    },
  };
}
