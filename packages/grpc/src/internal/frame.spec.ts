import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Deframer, encodeFrame } from "./frame.ts";

const messages = ["", "a", "hello", "x".repeat(300), ""].map((text) => Buffer.from(text));
const wire = Buffer.concat(messages.map(encodeFrame));

function deframe(chunks: readonly Buffer[], maxBytes = 1000): string[] {
  const deframer = new Deframer(maxBytes);
  const received: string[] = [];
  for (const chunk of chunks) deframer.push(chunk, (payload) => received.push(Buffer.from(payload).toString()));
  assert.equal(deframer.partial, false);
  return received;
}

describe("Deframer", () => {
  it("gives the same messages however the bytes are cut", () => {
    const expected = messages.map(String);
    for (let size = 1; size <= wire.length; size += 1) {
      const chunks: Buffer[] = [];
      for (let offset = 0; offset < wire.length; offset += size) chunks.push(wire.subarray(offset, offset + size));
      assert.deepEqual(deframe(chunks), expected, `cut every ${String(size)} bytes`);
    }
  });

  it("does not copy a message that arrives whole", () => {
    const chunk = encodeFrame(Buffer.from("hello"));
    new Deframer(10).push(chunk, (payload) => assert.equal(payload.buffer, chunk.buffer));
  });

  it("knows when it stands inside a message", () => {
    const deframer = new Deframer(1000);
    deframer.push(wire.subarray(0, 7), () => {});
    assert.equal(deframer.partial, true);
  });

  it("refuses long and compressed messages as soon as they are announced", () => {
    assert.throws(() => deframe([Buffer.of(0, 0, 0, 4, 0)]), { code: "grpc/message-too-large" });
    assert.throws(() => deframe([Buffer.of(1, 0, 0, 0, 1)]), { code: "grpc/compressed" });
  });
});
