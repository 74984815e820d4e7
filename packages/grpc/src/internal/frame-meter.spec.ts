import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FrameMeter } from "./frame-meter.ts";
import { encodeFrame } from "./frame.ts";

describe("FrameMeter", () => {
  it("sees every length, however the bytes are cut", () => {
    const bytes = Buffer.concat([0, 7, 300, 1].map((length) => encodeFrame(Buffer.alloc(length, 1))));
    for (const step of [1, 3, 64, bytes.length]) {
      const seen: number[] = [];
      const meter = new FrameMeter(300, { message: (length) => seen.push(length), end() {} });
      for (let at = 0; at < bytes.length; at += step) meter.push(bytes.subarray(at, at + step));
      assert.deepEqual(seen, [0, 7, 300, 1]);
    }
  });

  it("refuses a message by its prefix, before its bytes are there", () => {
    const meter = new FrameMeter(299);
    assert.throws(() => meter.push(encodeFrame(Buffer.alloc(300)).subarray(0, 5)), { code: "grpc/message-too-large" });
  });
});
