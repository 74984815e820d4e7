import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, it } from "node:test";
import { createChannel } from "./channel.ts";
import { createClient } from "./client.ts";
import { createServer } from "./server.ts";
import { createAuthority } from "./testing/certificates.ts";
import { bytes, Echo, text } from "./testing/echo.ts";

const authority = createAuthority();
const server = { ...authority.issue({ names: ["127.0.0.1"] }), ca: authority.ca };
const client = { ...authority.issue({ organizations: ["os:admin"] }), ca: authority.ca };

interface Sockets extends Disposable {
  /** Connects, sends `first`, and waits until the server has the connection. */
  open(port: number, first?: Uint8Array): Promise<Socket>;
}

function createSockets(): Sockets {
  const sockets: Socket[] = [];
  return {
    async open(port, first) {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      sockets.push(socket);
      socket.resume();
      await once(socket, "connect");
      if (first !== undefined) socket.write(first);
      return socket;
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const limits = { graceMs: 0, handshakeTimeoutMs: 60_000, maxSilent: 4, maxSilentPerAddress: 4 };
const listenAt = { host: "127.0.0.1", port: 0, tls: { material: server, clientAuth: "require" } } as const;

describe("silent connections", () => {
  it("end the oldest of themselves, and no handshake that has begun", async () => {
    await using grpc = createServer(limits).addService(Echo, { unary: (request) => request });
    const { address, port } = await grpc.listen(listenAt);
    using sockets = createSockets();
    // The first byte of a TLS record.
    const begun = await sockets.open(port, Uint8Array.of(0x16));
    const call = async (): Promise<string> => {
      await using channel = createChannel({ target: address, tls: { material: client } });
      return text(await createClient(Echo, channel).unary(bytes("x")));
    };
    const first = await sockets.open(port);
    const ended = once(first, "close");
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 50; count += 1) await sockets.open(port);
      assert.equal(await call(), "x");
    }
    await ended;
    assert.equal(begun.closed, false);
  });

  it("have as long as a handshake to say something", async () => {
    await using grpc = createServer({ ...limits, handshakeTimeoutMs: 50 });
    const { port } = await grpc.listen(listenAt);
    using sockets = createSockets();
    const silent = await sockets.open(port);
    await once(silent, "close");
  });
});
