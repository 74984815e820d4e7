import { createCellBuffer, type CellBuffer } from "./cell-buffer.ts";
import { createKeyDecoder, type Key } from "./keys.ts";
import { renderChanges } from "./render-changes.ts";
import type { Terminal } from "./terminal.ts";

// DEC private modes: 1049 is the alternate screen with a saved cursor, 25 the cursor; 2026 holds output back until a frame is whole,
// and is ignored where it is unknown.
const enter = "\u001b[?1049h\u001b[?25l";
const leave = "\u001b[0m\u001b[?25h\u001b[?1049l";
const beginFrame = "\u001b[?2026h";
const endFrame = "\u001b[?2026l";

/** Time after which an ESC that nothing followed is the key itself, in ms. */
const escapeMs = 50;

/** The whole terminal as a picture. Disposing gives the terminal back as it was. */
export interface Screen extends Disposable {
  /** Draws a picture of the terminal's present size, and sends what has changed. */
  draw(paint: (buffer: CellBuffer) => void): void;
}

export interface ScreenOptions {
  readonly terminal: Terminal;
  readonly onKey: (key: Key) => void;
  /** The size has changed: the picture must be drawn again. */
  readonly onResize: () => void;
}

/** Takes over the terminal. */
export function openScreen({ terminal, onKey, onResize }: ScreenOptions): Screen {
  const decoder = createKeyDecoder();
  let pending: NodeJS.Timeout | undefined;
  const typed = (bytes: Uint8Array): void => {
    clearTimeout(pending);
    for (const key of decoder.add(bytes)) onKey(key);
    pending = setTimeout(() => decoder.flush().forEach(onKey), escapeMs);
  };
  let shown: CellBuffer | undefined;
  const stack = new DisposableStack();
  stack.defer(() => clearTimeout(pending));
  stack.use(terminal.takeOver(typed, leave));
  stack.use(
    terminal.onResize(() => {
      shown = undefined;
      onResize();
    }),
  );
  terminal.write(enter);
  return {
    draw(paint) {
      const buffer = createCellBuffer(terminal.columns, terminal.rows);
      paint(buffer);
      const changes = renderChanges(shown, buffer);
      shown = buffer;
      if (changes !== "") terminal.write(beginFrame + changes + endFrame);
    },
    [Symbol.dispose]: () => stack.dispose(),
  };
}
