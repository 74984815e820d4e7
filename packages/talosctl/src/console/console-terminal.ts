import type { Terminal } from "../terminal/terminal.ts";
import { consoleGlyphs } from "./console-glyphs.ts";

/** Lets the console read UTF-8 (console_codes(4)), whatever was chosen before. */
const selectUtf8 = "\u001b%G";

/** Size of a terminal that does not know its own, such as a serial line. */
const defaultSize = [80, 24] as const;

/**
 * Makes a terminal out of the console of a machine.
 *
 * The process is not in the session of the console, so that no key is a signal to it; nor is a new size. The size is asked for with every
 * picture instead.
 *
 * @param windowSize Asks the kernel for columns and rows.
 */
export function consoleTerminal(terminal: Terminal, windowSize: () => readonly [number, number]): Terminal {
  const size = (): readonly [number, number] => {
    const [columns, rows] = windowSize();
    return columns > 0 && rows > 0 ? [columns, rows] : defaultSize;
  };
  return {
    get columns() {
      return size()[0];
    },
    get rows() {
      return size()[1];
    },
    write: (text) => terminal.write(typeof text === "string" ? consoleGlyphs(text) : text),
    onResize: () => ({ [Symbol.dispose]: () => undefined }),
    takeOver(typed, restore) {
      terminal.write(selectUtf8);
      return terminal.takeOver(typed, restore);
    },
  };
}
