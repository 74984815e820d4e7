import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { describe, it } from "node:test";
import { createHandshakeQueue } from "./handshake-queue.ts";

interface FakeSocket {
  readonly remoteAddress: string;
  readonly remotePort: number;
  destroyed: boolean;
}

function socket(remoteAddress: string, remotePort: number): FakeSocket & Socket {
  const fake: FakeSocket & { destroy(): void } = {
    remoteAddress,
    remotePort,
    destroyed: false,
    destroy() {
      fake.destroyed = true;
    },
  };
  return fake as unknown as FakeSocket & Socket;
}

describe("createHandshakeQueue()", () => {
  it("ends the oldest of an address that has too many, and nobody else's", () => {
    const queue = createHandshakeQueue({ max: 10, maxPerAddress: 2 });
    const other = socket("10.0.0.2", 1);
    const own = [1, 2, 3].map((port) => socket("10.0.0.1", port));
    for (const each of [other, ...own]) queue.enter(each);
    assert.deepEqual(
      [other, ...own].map(({ destroyed }) => destroyed),
      [false, true, false, false],
    );
    assert.equal(queue.size, 3);
  });

  it("ends the oldest of all when there are too many, but none that has left", () => {
    const queue = createHandshakeQueue({ max: 2, maxPerAddress: 2 });
    const all = [1, 2, 3, 4].map((number) => socket(`10.0.0.${String(number)}`, number));
    const [first, ...others] = all;
    assert.ok(first);
    queue.enter(first);
    queue.leave(first);
    for (const each of others) queue.enter(each);
    assert.deepEqual(
      all.map(({ destroyed }) => destroyed),
      [false, true, false, false],
    );
    queue.clear();
    assert.equal(queue.size, 0);
    assert.equal(first.destroyed, false);
  });
});
