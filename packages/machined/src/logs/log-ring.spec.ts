import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogRing, type LogRing } from "./log-ring.ts";

const { signal } = new AbortController();

async function text(ring: LogRing, tailLines = -1): Promise<string> {
  return Buffer.concat(await Array.fromAsync(ring.read({ signal, tailLines }))).toString();
}

describe("createLogRing()", () => {
  it("gives back what was written, or the last lines of it", async () => {
    const ring = createLogRing();
    ring.write("one\ntwo\nth");
    ring.write("ree\n");
    assert.equal(await text(ring), "one\ntwo\nthree\n");
    assert.equal(await text(ring, 2), "two\nthree\n");
    assert.equal(await text(ring, 9), "one\ntwo\nthree\n");
    assert.equal(await text(ring, 0), "");
    assert.deepEqual(ring.lastLines(1), ["three"]);
  });
  it("keeps about a megabyte, in whole lines", async () => {
    const ring = createLogRing();
    for (let index = 0; index < 60_000; index += 1) ring.write(`line ${String(index).padStart(30, "0")}\n`);
    const lines = (await text(ring)).split("\n");
    assert.ok(ring.bytes <= 1_200_000, String(ring.bytes));
    assert.match(lines[0] ?? "", /^line \d{30}$/);
    assert.equal(lines.at(-2), `line ${"59999".padStart(30, "0")}`);
  });
  it("survives a line without end", () => {
    const ring = createLogRing();
    for (let index = 0; index < 100; index += 1) ring.write(Buffer.alloc(64 * 1024, 120));
    assert.ok(ring.bytes <= 1_200_000);
  });
  it("follows without losing or repeating a line", async () => {
    const ring = createLogRing();
    ring.write("a\n");
    const abort = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of ring.read({ signal: abort.signal, follow: true })) {
        seen.push(chunk.toString());
        if (seen.length === 1) ring.write("b\n");
        else abort.abort();
      }
    })();
    await reading;
    assert.deepEqual(seen, ["a\n", "b\n"]);
  });
});
