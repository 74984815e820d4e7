import { spawn } from "node:child_process";
import { once } from "node:events";

export interface PseudoTerminalOptions {
  /** Program and its arguments; without characters that a shell treats specially. */
  readonly words: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Longest time that a program may take to show something, in ms. @default {120000} */
  readonly limitMs?: number;
}

/** A program in a pseudo-terminal of the kernel, and what its screen shows. */
export interface PseudoTerminal extends AsyncDisposable {
  /** Types keys, as the bytes that a terminal sends. */
  type(keys: string): void;
  /** Lines of the screen, without trailing spaces. */
  screen(): string;
  /** Waits until the screen shows something; fails with the screen when it does not in time. */
  shows(wanted: RegExp): Promise<string>;
  /** Everything that was written, with its escape sequences. */
  written(): string;
  /** Exit status of the program. */
  readonly ended: Promise<number>;
}

/** Starts a program in a pseudo-terminal that `script` of util-linux opens. */
export function openPseudoTerminal(options: PseudoTerminalOptions): PseudoTerminal {
  const { words, columns, rows, env, cwd, limitMs = 120_000 } = options;
  const line = `stty rows ${String(rows)} cols ${String(columns)}; exec ${words.join(" ")}`;
  const child = spawn("script", ["--quiet", "--flush", "--return", "--command", line, "/dev/null"], {
    env: { ...env, TERM: "xterm-256color", SHELL: "/bin/sh" },
    cwd,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const cells = createScreen(columns, rows);
  let written = "";
  const changed = new EventTarget();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
    cells.write(text);
    changed.dispatchEvent(new Event("change"));
  });
  const ended = once(child, "close").then(([code]) => (typeof code === "number" ? code : 1));
  return {
    ended,
    type: (keys) => void child.stdin.write(keys),
    screen: () => cells.text(),
    written: () => written,
    async shows(wanted) {
      const limit = AbortSignal.timeout(limitMs);
      while (!wanted.test(cells.text())) {
        const over = child.exitCode !== null;
        await once(changed, "change", { signal: limit }).catch(() => undefined);
        if (limit.aborted || over) throw new Error(`expected ${String(wanted)} on the screen\n${cells.text()}`);
      }
      return cells.text();
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const escape = "\u001b";
/** A sequence with its parameters and its last letter, or the begin of one that the pipe has cut, or a character. */
const pieceOfText = new RegExp(`${escape}\\[([\\d;?]*)([@-~])|${escape}[^[]|${escape}(?:\\[[\\d;?]*)?$|[^]`, "gu");
const beginOfSequence = new RegExp(`^${escape}(?:\\[[\\d;?]*)?$`);

/** Mode in which a terminal shows nothing of a frame until it is whole. */
const synchronized = "?2026";

/** Characters of a screen. Knows the sequences that move, erase, and hold a frame back until it is whole; styles are skipped. */
function createScreen(columns: number, rows: number): { write(text: string): void; text(): string } {
  const blank = (): string[] => Array.from({ length: columns }, () => " ");
  const lines = Array.from({ length: rows }, blank);
  let [x, y] = [0, 0];
  let rest = "";
  const render = (): string => lines.map((line) => line.slice(0, columns).join("").trimEnd()).join("\n");
  /** What was shown before the frame that is being drawn. */
  let former: string | undefined;
  const controls: Readonly<Record<string, () => void>> = {
    "\r": () => void (x = 0),
    "\n": () => void (y = Math.min(rows - 1, y + 1)),
    "\b": () => void (x = Math.max(0, x - 1)),
  };
  const sequences: Readonly<Record<string, (parameters: readonly number[], text: string) => void>> = {
    h: (_parameters, text) => void (former = text === synchronized ? render() : former),
    l: (_parameters, text) => void (former = text === synchronized ? undefined : former),
    H: ([row = 1, column = 1]) => void ([y, x] = [Math.max(1, row) - 1, Math.max(1, column) - 1]),
    J: () => void lines.splice(0, rows, ...Array.from({ length: rows }, blank)),
    K: () => void lines[y]?.fill(" ", x),
  };
  return {
    write(text) {
      const pieces = (rest + text).matchAll(pieceOfText);
      rest = "";
      for (const [piece, parameters, final] of pieces) {
        if (final !== undefined) sequences[final]?.((parameters ?? "").split(";").map(Number), parameters ?? "");
        else if (piece.startsWith(escape)) rest = beginOfSequence.test(piece) ? piece : "";
        else if (piece in controls) controls[piece]?.();
        else if (piece >= " ") lines[y]?.splice(x++, 1, piece);
      }
    },
    text: () => former ?? render(),
  };
}
