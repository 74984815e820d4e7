import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { describe, it } from "node:test";
import type { Http2Connection } from "./connection.ts";
import { errorCodes, flags, frameTypes, preface } from "./constants.ts";
import { fieldsOf, type Field } from "./field.ts";
import type { Http2Limits } from "./limits.ts";
import { attachSocket } from "./socket.ts";
import type { Http2Stream } from "./stream.ts";
import { collectGarbage } from "./testing/collect-garbage.ts";
import { block, frame, parseFrames, request, requestFields, settings, uint32 } from "./testing/frames.ts";

/** Memory that a server may need beyond what it had, whatever one peer does, in bytes. */
const memoryBound = 64 * 1024 * 1024;
/** Memory that this process may need meanwhile, with the garbage of the attacker, in bytes. */
const peakBound = 4 * memoryBound;
/** Time for one attack; generous, because a slow machine only attacks slower. */
const timeout = 60_000;

interface Target extends AsyncDisposable {
  readonly port: number;
  readonly requests: { count: number };
  readonly connections: Set<Http2Connection>;
}

const ok = fieldsOf([":status", "200"]);

/** Answers when the request has ended: with a short text, or without end for the path `/endless`. */
function answer(stream: Http2Stream, fields: readonly Field[]): void {
  const endless = fields.some(({ name, value }) => name === ":path" && value === "/endless");
  const chunk = Buffer.alloc(16_384);
  const pour = (): void => {
    while (!stream.closed && stream.write(chunk));
  };
  stream.sink = {
    data() {},
    drain: pour,
    end() {
      stream.sendHeaders(ok);
      if (endless) pour();
      else stream.end(Buffer.from("fine"));
    },
    close() {},
  };
  stream.resume();
}

async function target(limits: Partial<Http2Limits> = {}): Promise<Target> {
  const requests = { count: 0 };
  const connections = new Set<Http2Connection>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const { connection } = attachSocket(
      socket,
      { role: "server", limits },
      {
        request(stream, fields) {
          requests.count += 1;
          answer(stream, fields);
        },
        close() {
          connections.delete(connection);
          sockets.delete(socket);
        },
      },
    );
    connections.add(connection);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A peer that says what it is told. `received` is what the server sent. */
interface Attacker {
  readonly socket: Socket;
  readonly hungUp: Promise<void>;
  received(): Buffer;
}

function attack(port: number, ...parts: readonly Buffer[]): Attacker {
  const chunks: Buffer[] = [];
  const socket = connect(port, "127.0.0.1");
  const hungUp = new Promise<void>((resolve) => {
    socket.on("error", () => {}).on("close", () => resolve());
  });
  socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
  for (const part of parts) socket.write(part);
  return { socket, hungUp, received: () => Buffer.concat(chunks) };
}

/** Sends the same bytes again and again until the server hangs up. */
async function flood(port: number, start: Buffer, next: () => Buffer): Promise<Attacker> {
  const attacker = attack(port, start);
  const pour = (): void => {
    if (!attacker.socket.destroyed) attacker.socket.write(next(), () => setImmediate(pour));
  };
  pour();
  await attacker.hungUp;
  return attacker;
}

/** The code of the GOAWAY that the server sent, if it still could. */
function goawayCode(attacker: Attacker): number | undefined {
  const last = parseFrames(attacker.received()).findLast(({ type }) => type === frameTypes.goaway);
  return last === undefined || last.payload.length < 8 ? undefined : last.payload.readUInt32BE(4);
}

/** One request of a client that behaves. */
function callOnce(connection: Http2Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.request(
      fieldsOf(...requestFields),
      { data() {}, end: resolve, drain() {}, close: (code) => reject(new Error(`closed with ${String(code)}`)) },
      true,
    );
  });
}

/** Resident memory without garbage, most of which is the attacker's: it is made in this process too. */
function residentBytes(): number {
  collectGarbage({ type: "major", flavor: "last-resort" });
  return process.memoryUsage().rss;
}

/**
 * Runs an attack while a client on another connection makes one call after another. Its calls must all be answered, and memory stay
 * in bounds.
 */
async function withWitness(server: Target, run: () => Promise<void>): Promise<void> {
  const { connection } = attachSocket(connect(server.port, "127.0.0.1"), { role: "client" }, {});
  await callOnce(connection);
  const before = residentBytes();
  const attackOver = new AbortController();
  let calls = 0;
  const witness = (async () => {
    while (!attackOver.signal.aborted) {
      await callOnce(connection);
      calls += 1;
    }
  })();
  try {
    await run();
  } finally {
    attackOver.abort();
    await witness;
  }
  await callOnce(connection);
  assert.ok(calls > 0);
  const peak = process.resourceUsage().maxRSS * 1024 - before;
  assert.ok(peak < peakBound, `${String(Math.round(peak / 2 ** 20))} MiB more at times than before`);
  const growth = residentBytes() - before;
  assert.ok(growth < memoryBound, `${String(Math.round(growth / 2 ** 20))} MiB more than before`);
  connection.close();
}

const greeting = Buffer.concat([preface, settings]);
let nextId = 1;
const restart = (): void => void (nextId = 1);
function nextStream(): number {
  nextId += 2;
  return nextId - 2;
}
const times = (count: number, make: () => Buffer): Buffer => Buffer.concat(Array.from({ length: count }, make));

describe("a server under attack", { timeout }, () => {
  /** Floods that end the connection with ENHANCE_YOUR_CALM. */
  const floods: Readonly<Record<string, () => Buffer>> = {
    "resets of streams just opened (rapid reset)": () => {
      const id = nextStream();
      return Buffer.concat([request(id), frame(frameTypes.rstStream, 0, id, uint32(8))]);
    },
    "resets that the server is provoked into (zero window updates)": () => {
      const id = nextStream();
      return Buffer.concat([request(id), frame(frameTypes.windowUpdate, 0, id, uint32(0))]);
    },
    "resets that the server is provoked into (data after the end)": () => {
      const id = nextStream();
      const fields = [...requestFields.slice(0, 2), [":path", "/endless"], ...requestFields.slice(3)] as const;
      return Buffer.concat([request(id, true, fields), frame(frameTypes.data, 0, id, Buffer.alloc(1))]);
    },
    "malformed requests": () => request(nextStream(), true, requestFields.slice(1)),
    SETTINGS: () => settings,
    "SETTINGS with many entries": () =>
      frame(
        frameTypes.settings,
        0,
        0,
        times(2700, () => Buffer.from([0, 4, 0, 0, 255, 255])),
      ),
    PING: () => frame(frameTypes.ping, 0, 0, Buffer.alloc(8)),
    PRIORITY: () => frame(frameTypes.priority, 0, 1, Buffer.from([0, 0, 0, 3, 1])),
    "unknown frames": () => frame(77, 0, 0),
    "WINDOW_UPDATE of the connection by one byte": () => frame(frameTypes.windowUpdate, 0, 0, uint32(1)),
  };
  for (const [what, next] of Object.entries(floods)) {
    it(`hangs up on a flood of ${what}`, async () => {
      await using server = await target();
      restart();
      await withWitness(server, async () => {
        const attacker = await flood(server.port, greeting, () => times(200, next));
        const code = goawayCode(attacker);
        assert.ok(code === undefined || code === errorCodes.enhanceYourCalm, `code ${String(code)}`);
      });
    });
  }

  it("hangs up on a flood of empty DATA, padded or not", async () => {
    await using server = await target();
    const padded = frame(frameTypes.data, flags.padded, 1, Buffer.from([4, 0, 0, 0, 0]));
    for (const each of [frame(frameTypes.data, 0, 1), padded]) {
      await withWitness(server, async () => {
        await flood(server.port, Buffer.concat([greeting, request(1)]), () => times(500, () => each));
      });
    }
  });

  it("hangs up on one-byte window updates that pull a response byte by byte", async () => {
    await using server = await target();
    const tiny = frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 1]));
    const fields = [...requestFields.slice(0, 2), [":path", "/endless"]] as const;
    await withWitness(server, async () => {
      const start = Buffer.concat([preface, tiny, request(1, true, fields)]);
      await flood(server.port, start, () => times(200, () => frame(frameTypes.windowUpdate, 0, 1, uint32(1))));
    });
  });

  it("hangs up on a header block without end, in full or empty CONTINUATION frames", async () => {
    await using server = await target();
    for (const payload of [Buffer.alloc(16_384), Buffer.alloc(0)]) {
      await withWitness(server, async () => {
        const start = Buffer.concat([greeting, frame(frameTypes.headers, 0, 1, block(requestFields))]);
        const attacker = await flood(server.port, start, () =>
          times(10, () => frame(frameTypes.continuation, 0, 1, payload)),
        );
        const code = goawayCode(attacker);
        assert.ok(code === undefined || code === errorCodes.enhanceYourCalm);
      });
    }
    assert.equal(server.requests.count > 0, true, "the witness was served");
  });

  it("refuses lists that unfold to far more than they take on the wire (HPACK bomb)", async () => {
    await using server = await target();
    // One entry of 4 000 bytes in the table, then 16 000 references to it.
    const large = Buffer.concat([Buffer.from([0x40, 0x01, 0x78, 0x7f, 0xa1, 0x1e]), Buffer.alloc(4000, 0x61)]);
    const references = Buffer.alloc(12_000, 0xbe);
    await withWitness(server, async () => {
      const bombs = Array.from({ length: 300 }, (_, index) =>
        frame(
          frameTypes.headers,
          flags.endHeaders | flags.endStream,
          2 * index + 1,
          Buffer.concat([block(requestFields), large, references]),
        ),
      );
      const attacker = attack(server.port, greeting, ...bombs, frame(frameTypes.ping, 0, 0, Buffer.alloc(8, 1)));
      while (
        !parseFrames(attacker.received()).some(({ type, flags: bits }) => type === frameTypes.ping && bits === 1)
      ) {
        await once(attacker.socket, "data");
      }
      const resets = parseFrames(attacker.received()).filter(({ type }) => type === frameTypes.rstStream);
      assert.equal(resets.length, bombs.length);
      attacker.socket.destroy();
      await attacker.hungUp;
    });
  });

  it("ends the connection of a peer that never finishes its handshake, and of one inside a header block", async () => {
    await using server = await target({ handshakeTimeoutMs: 100 });
    await withWitness(server, async () => {
      const starts = [
        Buffer.alloc(0),
        preface.subarray(0, 5),
        preface,
        Buffer.concat([preface, settings.subarray(0, 3)]),
      ];
      const blocks = Buffer.concat([greeting, frame(frameTypes.headers, 0, 1, block(requestFields))]);
      const silent = Array.from({ length: 200 }, (_, index) => attack(server.port, starts[index % 4] as Buffer));
      await Promise.all([...silent, attack(server.port, blocks)].map(({ hungUp }) => hungUp));
    });
  });

  it("resets streams that a peer with 1,000 of them does not read, without keeping much for any", async () => {
    await using server = await target({ maxStalledStreams: 50, stallTimeoutMs: 200 });
    const fields = [...requestFields.slice(0, 2), [":path", "/endless"]] as const;
    const zero = frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]));
    for (const start of [Buffer.concat([preface, zero]), greeting]) {
      await withWitness(server, async () => {
        const calls = Array.from({ length: 1000 }, (_, index) => request(2 * index + 1, true, fields));
        const attacker = attack(server.port, start, ...calls);
        let resets = 0;
        while (resets < 950) {
          await once(attacker.socket, "data");
          resets = parseFrames(attacker.received()).filter(({ type }) => type === frameTypes.rstStream).length;
        }
        const open = [...server.connections].reduce((sum, { openStreams }) => sum + openStreams, 0);
        assert.ok(open <= 51, `${String(open)} streams are left`);
        attacker.socket.destroy();
        await attacker.hungUp;
      });
    }
  });

  it("keeps little for a peer that does not read its socket", async () => {
    await using server = await target();
    const fields = [...requestFields.slice(0, 2), [":path", "/endless"]] as const;
    const wide = frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff]));
    await withWitness(server, async () => {
      const calls = times(200, () => request(nextStream(), true, fields));
      const attacker = attack(server.port, preface, wide, frame(frameTypes.windowUpdate, 0, 0, uint32(2 ** 30)), calls);
      attacker.socket.pause();
      const witness = attachSocket(connect(server.port, "127.0.0.1"), { role: "client" }, {}).connection;
      for (let round = 0; round < 200; round += 1) await callOnce(witness);
      witness.close();
      attacker.socket.destroy();
      await attacker.hungUp;
    });
  });

  it("serves a peer that sends byte by byte", async () => {
    await using server = await target();
    await withWitness(server, async () => {
      const attacker = attack(server.port);
      attacker.socket.setNoDelay(true);
      for (const byte of Buffer.concat([greeting, request(1, true)])) {
        attacker.socket.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      while (!attacker.received().includes("fine")) await once(attacker.socket, "data");
      attacker.socket.destroy();
      await attacker.hungUp;
    });
  });

  const violations: Readonly<Record<string, Buffer>> = {
    "a frame of 16 MiB": Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]),
    "a header list of a megabyte": Buffer.concat([
      frame(frameTypes.headers, 0, 1, Buffer.alloc(16_384)),
      ...Array.from({ length: 64 }, () => frame(frameTypes.continuation, 0, 1, Buffer.alloc(16_384))),
    ]),
    "an even stream number": request(4),
    "a stream number that was passed over": Buffer.concat([request(9), request(7)]),
    "the largest stream number, then another": Buffer.concat([request(0x7fff_ffff), request(1)]),
    "no preface": Buffer.alloc(0),
  };
  for (const [what, bytes] of Object.entries(violations)) {
    it(`hangs up on ${what}`, async () => {
      await using server = await target();
      const start = what === "no preface" ? Buffer.from("GET / HTTP/1.1\r\n\r\n") : greeting;
      await withWitness(server, () => attack(server.port, start, bytes).hungUp);
    });
  }

  it("refuses streams beyond those it allows at once, and serves the others", async () => {
    await using server = await target({ maxConcurrentStreams: 10 });
    await withWitness(server, async () => {
      const calls = Array.from({ length: 50 }, (_, index) => request(2 * index + 1));
      const attacker = attack(server.port, greeting, ...calls);
      let refused = 0;
      while (refused < 40) {
        await once(attacker.socket, "data");
        refused = parseFrames(attacker.received()).filter(
          ({ type, payload }) => type === frameTypes.rstStream && payload.readUInt32BE(0) === errorCodes.refusedStream,
        ).length;
      }
      attacker.socket.destroy();
      await attacker.hungUp;
    });
  });
});
