import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCellBuffer } from "./cell-buffer.ts";
import { colored } from "./style.ts";
import { textOf } from "./testing.ts";

describe("createCellBuffer()", () => {
  it("cuts text at the limit and at the edges", () => {
    const buffer = createCellBuffer(6, 2);
    assert.equal(buffer.put(0, 0, "abcdef", undefined, 3), 3);
    buffer.put(4, 1, "xyz");
    buffer.put(0, 5, "below");
    buffer.put(-1, 1, "left");
    assert.equal(textOf(buffer), "abc\neft xy");
  });

  it("gives wide characters two cells, and combining marks none", () => {
    const buffer = createCellBuffer(5, 1);
    assert.equal(buffer.put(0, 0, "中e\u0301z"), 4);
    assert.deepEqual(
      [0, 1, 2, 3].map((x) => buffer.at(x, 0).text),
      ["中", "", "e\u0301", "z"],
    );
    assert.equal(createCellBuffer(1, 1).put(0, 0, "中"), 0);
  });

  it("lets text of others not steer the terminal", () => {
    const buffer = createCellBuffer(20, 1);
    buffer.put(0, 0, "a\u001b[31mb\u001b]0;title\u0007c\rd\u001b[2Je", colored("red"));
    assert.equal(textOf(buffer), "abc de");
  });
});
