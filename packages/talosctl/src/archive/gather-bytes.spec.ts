import assert from "node:assert/strict";
import { test } from "node:test";
import { gatherBytes } from "./gather-bytes.ts";

test("gatherBytes joins chunks into large pieces, and loses and adds nothing", async () => {
  const chunks = Array.from({ length: 20 }, (_, index) => Buffer.alloc(30_000, index));
  async function* source(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }
  const pieces = await Array.fromAsync(gatherBytes(source()));
  assert.deepEqual(
    pieces.map(({ length }) => length),
    [270_000, 270_000, 60_000],
  );
  assert.deepEqual(Buffer.concat(pieces), Buffer.concat(chunks));
});
