import assert from "node:assert/strict";
import { connect as connectSession, type ClientHttp2Session } from "node:http2";
import { connect, type Socket } from "node:net";
import { describe, it } from "node:test";
import type { OsError } from "@talos-ts/base";
import type { ServerOptions } from "./server.ts";
import { bytes, text } from "./testing/echo.ts";
import { createPair, type Pair } from "./testing/pair.ts";

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** An HTTP/2 frame. */
function frame(type: number, flags: number, stream: number, body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}

const settings = frame(4, 0, 0);

/** HEADERS of a call to the echo service, spelled out without compression. */
function headers(stream: number, path = "/interop.Echo/ClientStream", flags = 4): Buffer {
  const field = (name: string, value: string): Buffer =>
    Buffer.concat([Buffer.of(0x00, name.length), Buffer.from(name), Buffer.of(value.length), Buffer.from(value)]);
  const fields = [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", path],
    [":authority", "x"],
    ["content-type", "application/grpc"],
  ];
  return frame(1, flags, stream, Buffer.concat(fields.map(([name = "", value = ""]) => field(name, value))));
}

function reset(stream: number): Buffer {
  return frame(3, 0, stream, Buffer.of(0, 0, 0, 8));
}

/** Says `bytes` to the server; resolves with the socket when the server hangs up, or at once if it need not. */
function say(pair: Pair, ...parts: readonly Buffer[]): Socket & { readonly hungUp: Promise<void> } {
  const socket = connect(pair.address.replace("unix://", ""));
  const hungUp = new Promise<void>((resolve) => {
    socket.on("error", () => {}).on("close", () => resolve());
  });
  socket.resume();
  for (const part of parts) socket.write(part);
  return Object.assign(socket, { hungUp });
}

/** Whatever the peer did, others are served. */
async function assertAlive(pair: Pair): Promise<void> {
  assert.equal(text(await pair.client.unary(bytes("alive"))), "alive");
}

const impatient: ServerOptions = { handshakeTimeoutMs: 50, keepAliveIntervalMs: 20, keepAliveTimeoutMs: 40 };

describe("a server with misbehaving peers", () => {
  it("hangs up on what is no HTTP/2 preface", async () => {
    await using pair = await createPair();
    await say(pair, Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n")).hungUp;
    await say(pair, Buffer.alloc(1000, 0xff)).hungUp;
    await assertAlive(pair);
  });

  it("hangs up on a peer that says nothing or stops inside the preface", async () => {
    await using pair = await createPair({}, impatient);
    await Promise.all([say(pair).hungUp, say(pair, preface.subarray(0, 10)).hungUp, say(pair, preface).hungUp]);
    await assertAlive(pair);
  });

  it("hangs up on a peer that stops inside a header block", async () => {
    await using pair = await createPair({}, impatient);
    await say(pair, preface, settings, headers(1, undefined, 0)).hungUp;
    await assertAlive(pair);
  });

  it("hangs up on a peer that stops inside a frame", async () => {
    await using pair = await createPair({}, impatient);
    await say(pair, preface, settings, headers(1), frame(0, 0, 1, Buffer.alloc(100)).subarray(0, 50)).hungUp;
    await assertAlive(pair);
  });

  it("hangs up on frames larger than it allows", async () => {
    await using pair = await createPair();
    await say(pair, preface, settings, frame(0, 0, 1, Buffer.alloc(1 << 20))).hungUp;
    await assertAlive(pair);
  });

  it("hangs up on garbage after a good start", async () => {
    await using pair = await createPair();
    await say(pair, preface, settings, headers(1), Buffer.alloc(5000, 0x7f)).hungUp;
    await assertAlive(pair);
  });

  it("hangs up on floods of resets", async () => {
    let handled = 0;
    await using pair = await createPair({
      clientStream: () => {
        handled += 1;
        return {};
      },
    });
    const flood = Array.from({ length: 5000 }, (_, index) =>
      Buffer.concat([headers(2 * index + 1), reset(2 * index + 1)]),
    );
    const { port } = await pair.server.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect(port, "127.0.0.1");
    const hungUp = new Promise((resolve) => socket.on("error", () => {}).on("close", resolve));
    socket.resume().write(Buffer.concat([preface, settings, ...flood]));
    await hungUp;
    assert.ok(handled < 5000, `served ${String(handled)} of the flood`);
    await assertAlive(pair);
  });

  it("hangs up on floods of pings and of settings", async () => {
    await using pair = await createPair({}, impatient);
    for (const each of [frame(6, 0, 0, Buffer.alloc(8)), settings]) {
      const socket = say(pair, preface, settings);
      // A peer that asks without end and never reads the answers.
      socket.pause();
      const flood = Buffer.concat(Array.from({ length: 2000 }, () => each));
      const pour = (): void => {
        if (!socket.destroyed) socket.write(flood, () => setImmediate(pour));
      };
      pour();
      await socket.hungUp;
    }
    await assertAlive(pair);
  });

  it("bounds the calls that one connection may have open", async () => {
    const calls: string[] = [];
    await using pair = await createPair(
      {
        clientStream: (_requests, { method }) => {
          calls.push(method.name);
          return new Promise(() => {});
        },
      },
      { maxConcurrentStreams: 10 },
    );
    const many = Array.from({ length: 50 }, (_, index) => headers(2 * index + 1));
    const socket = say(pair, preface, settings, Buffer.concat(many));
    while (calls.length < 10) await assertAlive(pair);
    assert.equal(calls.length, 10);
    socket.destroy();
  });

  it("takes a connection lost inside an upload for a cancelled call, not for a finished one", async () => {
    const outcome = Promise.withResolvers<unknown>();
    const started = Promise.withResolvers<void>();
    await using pair = await createPair({
      async clientStream(requests) {
        try {
          for await (const _ of requests) started.resolve();
          outcome.resolve("finished");
        } catch (err) {
          outcome.resolve((err as OsError).kind);
        }
        return {};
      },
    });
    const message = Buffer.of(0, 0, 0, 0, 0);
    const half = Buffer.of(0, 0, 0, 0, 9, 1, 2);
    const socket = say(pair, preface, settings, headers(1), frame(0, 0, 1, message), frame(0, 0, 1, half));
    await started.promise;
    socket.destroy();
    assert.equal(await outcome.promise, "cancelled");
    await assertAlive(pair);
  });

  it("ends the call of a peer that announces more than it may send, before taking it", async () => {
    await using pair = await createPair();
    const session = connectSession("http://x", {
      createConnection: () => connect(pair.address.replace("unix://", "")),
    });
    assert.equal(await statusOf(session, Buffer.of(0, 0xff, 0xff, 0xff, 0xff)), "8");
    session.destroy();
    await assertAlive(pair);
  });

  it("takes messages that arrive byte by byte", async () => {
    await using pair = await createPair();
    const session = connectSession("http://x", {
      createConnection: () => connect(pair.address.replace("unix://", "")),
    });
    const stream = call(session, "/interop.Echo/Unary");
    for (const byte of [0, 0, 0, 0, 3, 0x0a, 1, 0x78]) {
      stream.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    stream.end();
    const received: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => received.push(chunk));
    await new Promise((resolve) => stream.on("end", resolve));
    assert.deepEqual(Buffer.concat(received), Buffer.of(0, 0, 0, 0, 3, 0x0a, 1, 0x78));
    session.destroy();
  });
});

function call(session: ClientHttp2Session, path: string) {
  const stream = session.request({ ":path": path, ":method": "POST", "content-type": "application/grpc" });
  return stream.on("error", () => {});
}

function statusOf(session: ClientHttp2Session, body: Buffer): Promise<unknown> {
  return new Promise((resolve) => {
    const stream = call(session, "/interop.Echo/ClientStream");
    stream.on("response", (response) => resolve(response["grpc-status"]));
    stream.write(body);
  });
}
