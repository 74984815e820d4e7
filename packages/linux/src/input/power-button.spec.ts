import assert from "node:assert/strict";
import { test } from "node:test";
import { countPresses } from "./power-button.ts";

function event(type: number, code: number, value: number): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt16LE(type, 16);
  bytes.writeUInt16LE(code, 18);
  bytes.writeInt32LE(value, 20);
  return bytes;
}

test("countPresses() counts the power key going down, and nothing else", () => {
  const down = event(1, 116, 1);
  const noise = [event(1, 116, 0), event(0, 0, 0), event(1, 30, 1), event(2, 116, 1)];
  assert.equal(countPresses(Buffer.concat([down, ...noise, down])), 2);
  assert.equal(countPresses(Buffer.concat(noise)), 0);
  assert.equal(countPresses(down.subarray(0, 20)), 0);
});
