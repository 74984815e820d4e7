import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Http2Connection } from "./connection.ts";
import { frameTypes, preface } from "./constants.ts";
import { Http2Error } from "./errors.ts";
import { Field, fieldsOf } from "./field.ts";
import { HpackDecoder } from "./hpack/decoder.ts";
import { HpackEncoder } from "./hpack/encoder.ts";
import { block, frame, request, requestFields, settings, uint32 } from "./testing/frames.ts";
import { createRandom, type Random } from "./testing/random.ts";
import { record, recordingSink } from "./testing/recorder.ts";

/**
 * Inputs per kind, and the first seed. The long form is
 * `HTTP2_FUZZ_INPUTS=1000000 node --test packages/http2/src/fuzz.spec.ts`; a failure names the seed of its input.
 */
const inputs = Number(process.env["HTTP2_FUZZ_INPUTS"] ?? 1000);
const firstSeed = Number(process.env["HTTP2_FUZZ_SEED"] ?? 1);

function eachSeed(run: (random: Random) => void): void {
  for (let seed = firstSeed; seed < firstSeed + inputs; seed += 1) {
    try {
      run(createRandom(Math.imul(seed, 0x9e37_79b1)));
    } catch (err) {
      throw new Error(`seed ${String(seed)}`, { cause: err });
    }
  }
}

/** Bytes with a few of them changed, dropped or repeated. */
function mutate(random: Random, bytes: Buffer): Buffer {
  let result = Buffer.from(bytes);
  for (let count = random.below(4); count > 0 && result.length > 0; count -= 1) {
    const at = random.below(result.length);
    const change = random.below(4);
    if (change === 0) result[at] = random.below(256);
    else if (change === 1) result = Buffer.concat([result.subarray(0, at), result.subarray(at + 1)]);
    else if (change === 2)
      result = Buffer.concat([result.subarray(0, at), result.subarray(random.below(result.length))]);
    else result[at] = (result[at] as number) ^ (1 << random.below(8));
  }
  return result;
}

const names = [":path", ":status", "grpc-timeout", "x-a", "te", "content-length", "connection", "X-Upper", "x-bin"];

function randomBlock(random: Random, encoder: HpackEncoder): Buffer {
  const base = random.below(3) === 0 ? [] : requestFields;
  const extra = Array.from(
    { length: random.below(4) },
    () => [random.pick(names), random.pick(["", "1", "3", "trailers", "gzip", "a".repeat(random.below(300))])] as const,
  );
  const fields = [...base, ...extra].map(([name, value]) => new Field(name, value));
  const out = Buffer.alloc(HpackEncoder.bound(fields));
  return out.subarray(0, encoder.encode(fields, out, 0));
}

/** One frame as a peer that is nearly right would send it. */
function randomFrame(random: Random, encoder: HpackEncoder): Buffer {
  const id = random.below(8) === 0 ? random.below(0x7fff_ffff) : random.below(12);
  const bits = random.pick([0, 1, 4, 5, 8, 9, 13, 0x20, 0x25, 0x2d]);
  switch (random.below(14)) {
    case 0:
    case 1:
    case 2:
      return frame(frameTypes.headers, bits, id, randomBlock(random, encoder));
    case 3:
      return frame(frameTypes.continuation, bits, id, randomBlock(random, encoder));
    case 4:
    case 5:
    case 6:
      return frame(frameTypes.data, bits & 9, id, random.bytes(random.below(300)));
    case 7:
      return frame(frameTypes.windowUpdate, 0, id, uint32(random.pick([0, 1, 100, 65_535, 0x7fff_ffff])));
    case 8:
      return frame(frameTypes.rstStream, 0, id, uint32(random.below(15)));
    case 9: {
      const value = random.pick([0, 1, 100, 16_384, 65_535, 0x7fff_ffff, 0xffff_ffff]);
      return frame(frameTypes.settings, bits & 1, 0, Buffer.concat([Buffer.from([0, random.below(8)]), uint32(value)]));
    }
    case 10:
      return frame(frameTypes.ping, bits & 1, 0, random.bytes(random.pick([8, 8, 8, 7])));
    case 11:
      return frame(frameTypes.goaway, 0, 0, Buffer.concat([uint32(random.below(12)), uint32(random.below(14))]));
    case 12:
      return frame(frameTypes.priority, 0, id, random.bytes(random.pick([5, 5, 4])));
    default:
      return frame(random.below(256), random.below(256), id, random.bytes(random.below(40)));
  }
}

function randomSession(random: Random, role: "client" | "server"): Buffer {
  const encoder = new HpackEncoder();
  const frames = Array.from({ length: 1 + random.below(14) }, () => randomFrame(random, encoder));
  if (role === "server" && random.below(2) === 0) frames.unshift(request(1, random.below(2) === 0));
  const start = role === "server" ? [preface, settings] : [settings];
  return mutate(random, Buffer.concat([...start, ...frames]));
}

/** Records what a connection made of the bytes, cut into chunks by `random`; a handler reads, writes, pauses and resets by turns. */
function outcome(session: Buffer, role: "client" | "server", random: Random, mode: number): unknown {
  const recorder = record({
    role,
    paused: mode % 3 === 1,
    limits: { maxBufferedBytes: 1000, maxSendQueueBytes: 5000 },
  });
  const { connection, events } = recorder;
  if (role === "client") {
    for (let count = 0; count < 3; count += 1) {
      connection.request(fieldsOf(...requestFields), recordingSink(events, `own ${String(count)}`), count === 0);
    }
  }
  for (let offset = 0; offset < session.length;) {
    const size = mode === 0 ? session.length : 1 + random.below(60);
    connection.receive(session.subarray(offset, offset + size));
    offset += size;
  }
  const sent = recorder
    .sent()
    .map(({ type, streamId, payload }) => `${String(type)} ${String(streamId)} ${payload.toString("hex")}`);
  check(connection);
  const { flow } = connection;
  for (const stream of recorder.streams) {
    if (mode % 2 === 0) stream.sendHeaders(fieldsOf([":status", "200"]));
    stream.write(Buffer.alloc(100));
    if (mode % 5 === 0) stream.end(Buffer.alloc(3000), fieldsOf(["x", "y"]));
    else if (mode % 5 === 1) stream.reset(8);
    stream.resume();
  }
  check(connection);
  connection.destroy();
  assert.equal(connection.flow.queuedBytes, 0);
  assert.equal(events.filter((event) => event === "over").length, 1);
  for (const stream of recorder.streams) {
    const closes = events.filter((event) => event.startsWith(`${String(stream.id)} close`)).length;
    assert.ok(closes === 1, `stream ${String(stream.id)} closed ${String(closes)} times`);
  }
  return { sent, flow };
}

function check(connection: Http2Connection): void {
  const { sendWindow, receiveWindow, bufferedBytes, queuedBytes } = connection.flow;
  assert.ok(bufferedBytes >= 0 && queuedBytes >= 0, "counters");
  if (connection.closed) return;
  assert.ok(sendWindow <= 0x7fff_ffff, "windows");
  assert.equal(receiveWindow, 8 * 1024 * 1024, "the whole window is accounted for");
}

describe("any input", () => {
  it("is a header block or a compression error", () => {
    const valid = [block(requestFields), block([["x", "y".repeat(200)]])];
    eachSeed((random) => {
      const decoder = new HpackDecoder(random.pick([0, 100, 4096]));
      const encoder = new HpackEncoder();
      for (let count = 0; count < 4; count += 1) {
        const source = random.below(3);
        const good = source === 0 ? random.pick(valid) : randomBlock(random, encoder);
        const bytes = source === 2 ? random.bytes(random.below(60)) : mutate(random, good);
        let size = 0;
        try {
          decoder.decode(bytes, (field) => (size += field.size));
        } catch (err) {
          assert.ok(err instanceof Http2Error && err.errorCode === 9, String(err));
          return;
        }
        assert.ok(decoder.tableBytes <= 4096);
        assert.ok(size >= 0);
      }
    });
  });

  it("leaves a connection alive and accounted for, or ends it, as frames without sense", () => {
    eachSeed((random) => {
      const frames = Array.from({ length: random.below(6) }, () => {
        const length = random.below(200);
        return frame(random.below(12), random.below(256), random.below(9), random.bytes(length));
      });
      const bytes = random.below(4) === 0 ? random.bytes(200) : Buffer.concat([preface, settings, ...frames]);
      outcome(bytes, "server", random, random.below(10));
    });
  });

  for (const role of ["server", "client"] as const) {
    it(`has the same outcome for a ${role} however it is cut, as a session that is nearly right`, () => {
      eachSeed((random) => {
        const session = randomSession(random, role);
        const whole = outcome(session, role, random, 0);
        const cut = outcome(session, role, random, 6);
        assert.deepEqual(cut, whole);
        outcome(session, role, random, 1 + random.below(9));
      });
    });
  }
});
