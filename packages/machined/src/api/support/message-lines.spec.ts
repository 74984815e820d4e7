import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { afterLine, joinLines, mergeArriving, mergeByTime } from "./message-lines.ts";

const line = (time: string, text: string): string => `kern:    info: [2026-11-16T06:00:${time}Z]: ${text}`;

describe("mergeByTime()", () => {
  it("puts lines of both logs in order, whatever digits their seconds have", async () => {
    async function* kernel(): AsyncGenerator<string> {
      yield* [line("01", "k1"), line("02.5", "k2"), line("03", "k3")];
    }
    const own = [line("00.9", "o1"), line("02", "o2"), line("02.5", "o3"), line("04.1", "o4")];
    assert.deepEqual(
      (await Array.fromAsync(mergeByTime(kernel(), own))).map((text) => text.slice(-2)),
      ["o1", "k1", "o2", "k2", "o3", "k3", "o4"],
    );
  });
});

describe("joinLines()", () => {
  it("joins lines to pieces, and loses none", async () => {
    async function* lines(): AsyncGenerator<string> {
      yield* ["aa", "bb", "cc"];
    }
    const pieces = await Array.fromAsync(joinLines(lines(), 5), (piece) => piece.toString());
    assert.deepEqual(pieces, ["aa\nbb\n", "cc\n"]);
  });
});

describe("afterLine()", () => {
  async function* chunks(...texts: readonly string[]): AsyncGenerator<Buffer> {
    for (const text of texts) yield Buffer.from(text);
  }
  it("begins after the line that is known, and joins pieces of lines", async () => {
    assert.deepEqual(await Array.fromAsync(afterLine(chunks("a\nb\nc\n", "d", "e\nb\n"), "b")), ["c", "de", "b"]);
  });
  it("gives everything when the known line is gone, or none is known", async () => {
    assert.deepEqual(await Array.fromAsync(afterLine(chunks("a\nb\n"), "x")), ["a", "b"]);
    assert.deepEqual(await Array.fromAsync(afterLine(chunks("a\n"), "")), ["a"]);
  });
});

describe("mergeArriving()", () => {
  it("ends when every source has ended, and has everything", async () => {
    async function* values(...items: readonly number[]): AsyncGenerator<number> {
      yield* items;
    }
    const merged = await Array.fromAsync(mergeArriving([values(1, 2, 3), values(), values(4)]));
    assert.deepEqual(new Set(merged), new Set([1, 2, 3, 4]));
  });
});
