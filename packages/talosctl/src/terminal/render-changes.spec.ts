import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCellBuffer, type CellBuffer } from "./cell-buffer.ts";
import { renderChanges } from "./render-changes.ts";
import { colored, type Style } from "./style.ts";

function picture(width: number, ...lines: readonly (readonly [text: string, style?: Style])[]): CellBuffer {
  const buffer = createCellBuffer(width, lines.length);
  for (const [y, [text, style]] of lines.entries()) buffer.put(0, y, text, style);
  return buffer;
}

const clear = "\u001b[H\u001b[0m\u001b[2J";

describe("renderChanges()", () => {
  it("draws everything on a cleared terminal at first, and after a change of size", () => {
    const first = picture(4, ["ab"], ["cd", colored("red")]);
    const drawn = `${clear}\u001b[1;1Hab\u001b[2;1H\u001b[0;31mcd\u001b[0m`;
    assert.equal(renderChanges(undefined, first), drawn);
    assert.equal(renderChanges(picture(9, ["ab"]), first), drawn);
  });

  it("sends only the cells that differ, neighbours in one go", () => {
    const before = picture(12, ["load 1.25 ok"]);
    assert.equal(renderChanges(before, picture(12, ["load 1.39 ok"])), "\u001b[1;8H39");
    assert.equal(renderChanges(before, before), "");
  });

  it("sends cells whose style alone differs", () => {
    assert.equal(
      renderChanges(picture(2, ["ab"]), picture(2, ["ab", colored("green")])),
      "\u001b[1;1H\u001b[0;32mab\u001b[0m",
    );
  });

  it("counts the two cells of a wide character", () => {
    assert.equal(renderChanges(picture(4, ["abcd"]), picture(4, ["中xy"])), "\u001b[1;1H中xy");
  });
});
