import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogWriter } from "./log-writer.ts";

function scene() {
  const writes: string[] = [];
  const turns: (() => void)[] = [];
  const writer = createLogWriter({
    write: (text) => void writes.push(text),
    schedule: (flush) => turns.push(flush),
    now: () => new Date(0),
  });
  return { writes, writer, turn: () => turns.splice(0).forEach((flush) => flush()) };
}

describe("createLogWriter()", () => {
  it("writes the lines of a while at once, in order", () => {
    const { writes, writer, turn } = scene();
    writer.log("a");
    writer.log("b\nforged");
    assert.deepEqual(writes, []);
    turn();
    writer.log("c");
    turn();
    assert.deepEqual(writes, [
      "1970-01-01T00:00:00.000Z a\n1970-01-01T00:00:00.000Z b\\u000aforged\n",
      "1970-01-01T00:00:00.000Z c\n",
    ]);
  });

  it("keeps a bounded number of lines for each write and tells how many it dropped", () => {
    const { writes, writer, turn } = scene();
    for (let line = 0; line < 100_000; line += 1) writer.log(String(line));
    turn();
    const lines = writes.join("").trimEnd().split("\n");
    assert.equal(lines.length, 513);
    assert.match(lines.at(-1) ?? "", /99488 lines were dropped/);
    writer.log("after");
    turn();
    assert.match(writes.at(-1) ?? "", /^\S+ after\n$/);
  });

  it("writes what waits when it is told to, and nothing twice", () => {
    const { writes, writer, turn } = scene();
    writer.log("last words");
    writer.flush();
    turn();
    assert.deepEqual(writes, ["1970-01-01T00:00:00.000Z last words\n"]);
  });
});
