import assert from "node:assert/strict";
import { test } from "node:test";
import { openScreen } from "../terminal/screen.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { consoleTerminal } from "./console-terminal.ts";

function fakeTerminal(): { readonly terminal: Terminal; readonly written: string[] } {
  const written: string[] = [];
  const nothing = { [Symbol.dispose]: () => undefined };
  return {
    written,
    terminal: {
      columns: 1,
      rows: 1,
      write: (text) => void written.push(String(text)),
      onResize: () => nothing,
      takeOver: () => nothing,
    },
  };
}

test("consoleTerminal() draws pictures of the size that the kernel tells, with glyphs of the console", () => {
  const { terminal, written } = fakeTerminal();
  let size: readonly [number, number] = [80, 25];
  const sizes: string[] = [];
  using screen = openScreen({
    terminal: consoleTerminal(terminal, () => size),
    onKey: () => undefined,
    onResize: () => undefined,
  });
  const draw = (): void =>
    screen.draw((buffer) => {
      sizes.push(`${String(buffer.width)}x${String(buffer.height)}`);
      buffer.put(0, 0, "▁▂▃");
    });
  draw();
  size = [160, 50];
  draw();
  // A serial line tells no size.
  size = [0, 0];
  draw();
  assert.deepEqual(sizes, ["80x25", "160x50", "80x24"]);
  assert.equal(written[0], "\u001b%G");
  assert.equal(written.filter((text) => text.includes("__▄")).length, 3);
});
