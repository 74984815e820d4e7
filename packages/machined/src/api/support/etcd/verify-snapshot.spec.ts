import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { verifySnapshot } from "./verify-snapshot.ts";

const database = Buffer.alloc(10_000, "etcd");
const checksum = createHash("sha256").update(database).digest();

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("verifySnapshot()", () => {
  it("passes a whole snapshot on, however it is cut into pieces", async () => {
    const whole = Buffer.concat([database, checksum]);
    for (const size of [1, 31, 33, 4096, 20_000]) {
      const received = await Array.fromAsync(verifySnapshot(pieces(whole, size)));
      assert.ok(Buffer.concat(received).equals(whole));
    }
  });
  it("C-26: fails when the end is missing", async () => {
    for (const bytes of [database, Buffer.concat([database, checksum]).subarray(0, -1), Buffer.alloc(0)]) {
      await assert.rejects(Array.fromAsync(verifySnapshot(pieces(bytes, 100))), { code: "etcd/bad-snapshot" });
    }
  });
});
