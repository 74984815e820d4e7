import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { describe, it } from "node:test";
import { Writable } from "node:stream";
import { createSocketWriter } from "./socket-writer.ts";

/** A TLS socket that has written a chunk when `written` is called. */
function heldSocket(): { readonly socket: Socket; written(): Promise<void> } {
  const waiting: (() => void)[] = [];
  const stream = new Writable({ write: (_chunk, _encoding, callback) => void waiting.push(callback) });
  const socket = Object.assign(stream, { encrypted: true }) as unknown as Socket;
  return {
    socket,
    async written() {
      waiting.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("createSocketWriter()", () => {
  it("tells of room for all who were told that a TLS socket is full, whatever is written meanwhile", async () => {
    const held = heldSocket();
    let rooms = 0;
    const writer = createSocketWriter(held.socket, () => (rooms += 1));
    writer.write(Array.from({ length: 4 }, () => Buffer.alloc(65_536)));
    assert.ok(writer.full);
    await held.written();
    // A control frame, which does not wait for room.
    writer.write([Buffer.alloc(17)]);
    assert.ok(writer.full);
    for (let chunk = 0; chunk < 4; chunk += 1) await held.written();
    assert.equal(rooms, 1);
    assert.ok(!writer.full);
  });
});
