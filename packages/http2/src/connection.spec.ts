import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { errorCodes, flags, frameTypes, preface } from "./constants.ts";
import { fieldsOf } from "./field.ts";
import { Http2Connection } from "./connection.ts";
import { block, frame, request, requestFields, settings, uint32 } from "./testing/frames.ts";
import { createRandom } from "./testing/random.ts";
import { greetedServer, record, recordingSink, type Recorder } from "./testing/recorder.ts";

const ok = fieldsOf([":status", "200"]);
const postText = requestFields.map((pair) => pair.join("=")).join(" ");

/** The code of the GOAWAY that ended the connection. */
function goawayCode(recorder: Recorder): number | undefined {
  const last = recorder.sent().findLast(({ type }) => type === frameTypes.goaway);
  return last?.payload.readUInt32BE(4);
}

function typesOf(recorder: Recorder): number[] {
  return recorder.sent().map(({ type }) => type);
}

/** A client and a server that are connected by nothing but their bytes. */
function connected(serverLimits = {}, clientLimits = {}) {
  const events: string[] = [];
  const server = record({ limits: serverLimits });
  const client = new Http2Connection(
    { role: "client", limits: clientLimits },
    {
      output() {},
      goaway: (code) => void events.push(`goaway ${String(code)}`),
      end: () => void events.push("over"),
    },
  );
  /** Moves bytes until neither side has more to say. */
  const exchange = (): void => {
    for (let quiet = false; !quiet;) {
      quiet = true;
      for (const [from, to] of [
        [client, server.connection],
        [server.connection, client],
      ] as const) {
        for (const chunk of from.takeOutput()) {
          quiet = false;
          to.receive(chunk);
        }
      }
    }
  };
  const call = (name: string, endStream = false) =>
    client.request(fieldsOf(...requestFields), recordingSink(events, name), endStream);
  return { client, server, events, exchange, call };
}

describe("Http2Connection", () => {
  it("carries a request and its response with trailers", () => {
    const { server, events, exchange, call } = connected();
    const stream = call("a");
    stream.write(Buffer.from("ping"));
    stream.end();
    exchange();
    assert.deepEqual(server.events, ["ready", `1 request ${postText}`, "1 data 70696e67", "1 end"]);
    const [served] = server.streams;
    served?.sendHeaders(ok);
    served?.write(Buffer.from("pong"));
    served?.end(undefined, fieldsOf(["grpc-status", "0"]));
    exchange();
    assert.deepEqual(events, [
      "a headers :status=200",
      "a data 706f6e67",
      "a trailers grpc-status=0",
      "a end",
      "a close 0",
    ]);
    assert.equal(server.events.at(-1), "1 close 0");
  });

  it("gives the same events for any split of the bytes into chunks", () => {
    const padded = frame(frameTypes.data, flags.padded, 1, Buffer.from([3, 1, 2, 0, 0, 0]));
    const whole = block([...requestFields, ["x-long", "y".repeat(300)]]);
    const session = Buffer.concat([
      preface,
      settings,
      request(1),
      padded,
      frame(frameTypes.data, 0, 1),
      frame(frameTypes.headers, 0, 3, whole.subarray(0, 20)),
      frame(frameTypes.continuation, 0, 3, whole.subarray(20, 30)),
      frame(frameTypes.continuation, flags.endHeaders, 3, whole.subarray(30)),
      frame(frameTypes.ping, 0, 0, Buffer.alloc(8, 7)),
      frame(frameTypes.data, flags.endStream, 3, Buffer.alloc(3000, 9)),
      frame(frameTypes.headers, flags.endHeaders | flags.endStream, 1, block([["x-trailer", "t"]])),
      request(5, true),
      frame(frameTypes.rstStream, 0, 5, uint32(8)),
      frame(99, 0, 0, Buffer.alloc(12)),
    ]);
    const outcome = (cuts: readonly number[]): unknown => {
      const recorder = record();
      let start = 0;
      for (const cut of [...cuts, session.length]) {
        recorder.connection.receive(session.subarray(start, cut));
        start = cut;
      }
      const written = recorder.sent().map(({ type, streamId, payload }) => [type, streamId, payload.toString("hex")]);
      return { events: recorder.events, written, flow: recorder.connection.flow };
    };
    const expected = outcome([]);
    assert.deepEqual(outcome(Array.from(session.keys()).slice(1)), expected, "byte by byte");
    for (let cut = 1; cut < session.length; cut += 1)
      assert.deepEqual(outcome([cut]), expected, `cut at ${String(cut)}`);
    const random = createRandom(9113);
    for (let round = 0; round < 200; round += 1) {
      const cuts = Array.from({ length: random.below(12) }, () => random.below(session.length)).sort((a, b) => a - b);
      assert.deepEqual(outcome(cuts), expected, `cuts ${cuts.join()}`);
    }
  });

  it("holds data of a paused stream, and takes no more than its window", () => {
    const server = greetedServer({ paused: true, limits: { streamWindowBytes: 1000 } });
    server.connection.receive(Buffer.concat([request(1), frame(frameTypes.data, 0, 1, Buffer.alloc(600))]));
    assert.equal(server.connection.flow.bufferedBytes, 600);
    assert.deepEqual(typesOf(server), [], "no window update before it is read");
    server.streams[0]?.resume();
    assert.deepEqual(
      server.sent().map(({ type, streamId, payload }) => [type, streamId, payload.readUInt32BE(0)]),
      [[frameTypes.windowUpdate, 1, 600]],
    );
    server.streams[0]?.pause();
    server.connection.receive(frame(frameTypes.data, 0, 1, Buffer.alloc(1001)));
    assert.deepEqual(typesOf(server), [frameTypes.rstStream]);
    assert.equal(server.events.at(-1), `1 close ${String(errorCodes.flowControlError)}`);
    assert.equal(server.connection.flow.bufferedBytes, 0);
  });

  it("keeps no more than what waits, however large the buffers it arrived in", () => {
    const server = greetedServer({ paused: true });
    server.connection.receive(request(1));
    for (let count = 0; count < 2000; count += 1) {
      const slab = Buffer.alloc(65_536);
      const end = frame(frameTypes.data, 0, 1, Buffer.alloc(10)).copy(slab, 1000);
      server.connection.receive(slab.subarray(1000, 1000 + end));
    }
    assert.equal(server.connection.flow.bufferedBytes, 20_000);
    const kept = new Set<ArrayBufferLike>();
    const [stream] = server.streams;
    assert.ok(stream);
    stream.sink = { data: (chunk) => void kept.add(chunk.buffer), end() {}, drain() {}, close() {} };
    stream.resume();
    const bytes = [...kept].reduce((sum, { byteLength }) => sum + byteLength, 0);
    assert.ok(bytes < 2_000_000, `${String(bytes)} bytes are kept for 20 000`);
  });

  it("delivers what was received whole before it says that the stream is over", () => {
    const { client, server, events, exchange, call } = connected();
    const stream = call("a", true);
    stream.pause();
    exchange();
    const [served] = server.streams;
    served?.sendHeaders(ok);
    served?.end(Buffer.from("x"), fieldsOf(["grpc-status", "0"]));
    exchange();
    assert.deepEqual(events, ["a headers :status=200"]);
    assert.equal(client.openStreams, 0);
    stream.resume();
    assert.deepEqual(events.slice(1), ["a data 78", "a trailers grpc-status=0", "a end", "a close 0"]);
  });

  it("keeps a whole response when the server stops the upload behind it", () => {
    const { server, events, exchange, call } = connected();
    const stream = call("a");
    stream.pause();
    exchange();
    const [served] = server.streams;
    served?.sendHeaders(ok);
    served?.end(Buffer.from("x"));
    served?.reset(errorCodes.noError);
    exchange();
    stream.resume();
    assert.deepEqual(events, ["a headers :status=200", "a data 78", "a end", "a close 0"]);
  });

  it("sends no more than the windows of stream and connection allow, and tells of room", () => {
    const server = greetedServer();
    server.connection.receive(request(1, true));
    const [stream] = server.streams;
    stream?.sendHeaders(ok);
    assert.equal(stream?.write(Buffer.alloc(200_000)), false);
    stream?.end();
    const sentBytes = (): number =>
      server
        .sent()
        .filter(({ type }) => type === frameTypes.data)
        .reduce((sum, { payload }) => sum + payload.length, 0);
    assert.equal(sentBytes(), 65_535);
    server.connection.receive(frame(frameTypes.windowUpdate, 0, 1, uint32(100)));
    assert.equal(sentBytes(), 0, "the connection has no window");
    server.connection.receive(frame(frameTypes.windowUpdate, 0, 0, uint32(500_000)));
    assert.equal(sentBytes(), 100);
    server.connection.receive(
      frame(frameTypes.settings, 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(65_535 + 134_365)])),
    );
    assert.equal(sentBytes(), 200_000 - 65_535 - 100);
    assert.ok(server.events.includes("1 drain"));
    assert.equal(server.events.at(-1), "1 close 0");
    assert.equal(server.connection.flow.queuedBytes, 0);
  });

  it("lets streams take turns", () => {
    const server = greetedServer();
    server.connection.receive(Buffer.concat([request(1, true), request(3, true)]));
    for (const stream of server.streams) {
      stream.sendHeaders(ok);
      stream.write(Buffer.alloc(100_000));
    }
    server.sent();
    server.connection.receive(frame(frameTypes.windowUpdate, 0, 1, uint32(100_000)));
    server.connection.receive(frame(frameTypes.windowUpdate, 0, 3, uint32(100_000)));
    server.connection.receive(frame(frameTypes.windowUpdate, 0, 0, uint32(100_000)));
    const order = server
      .sent()
      .filter(({ type }) => type === frameTypes.data)
      .map(({ streamId }) => streamId);
    assert.deepEqual(
      order.slice(0, 4).toSorted((a, b) => a - b),
      [1, 1, 3, 3],
    );
  });

  it("queues requests beyond what the server allows, and sends them in order", () => {
    const { client, server, events, exchange, call } = connected({ maxConcurrentStreams: 2 });
    exchange();
    const streams = ["a", "b", "c", "d"].map((name) => call(name, true));
    exchange();
    assert.equal(server.streams.length, 2);
    assert.deepEqual(
      streams.map(({ id }) => id),
      [1, 3, 0, 0],
    );
    streams[3]?.reset(errorCodes.cancel);
    server.streams[0]?.sendHeaders(ok, true);
    exchange();
    assert.equal(streams[2]?.id, 5);
    for (const stream of server.streams) stream.sendHeaders(ok, true);
    exchange();
    assert.equal(client.openStreams, 0);
    assert.ok(events.includes("d close 8") && events.includes("c close 0"));
  });

  it("closes in two steps, and serves what was under way", () => {
    const { client, server, events, exchange, call } = connected();
    exchange();
    const early = call("early", true);
    server.connection.close();
    assert.deepEqual(typesOf(server), [frameTypes.goaway, frameTypes.ping]);
    assert.equal(early.id, 1);
    const again = connected();
    again.exchange();
    again.call("early", true);
    again.server.connection.close();
    again.exchange();
    assert.deepEqual(again.events.slice(0, 1), ["goaway 0"]);
    assert.throws(() => again.call("late"), { errorCode: errorCodes.refusedStream });
    assert.equal(again.server.streams.length, 1, "the request that crossed the announcement is served");
    again.server.streams[0]?.sendHeaders(ok, true);
    again.exchange();
    assert.ok(again.events.includes("early close 0"));
    assert.equal(again.events.at(-1), "over");
    assert.ok(again.server.connection.closed);
    client.destroy();
    assert.ok(events.length > 0);
  });

  it("tells requests that the server never saw from those that it did", () => {
    const { client, events, call } = connected();
    client.receive(settings);
    call("seen", true);
    call("unseen", true);
    client.receive(frame(frameTypes.goaway, 0, 0, Buffer.concat([uint32(1), uint32(0)])));
    assert.ok(events.includes(`unseen close ${String(errorCodes.refusedStream)}`));
    assert.ok(!events.some((event) => event.startsWith("seen")));
    client.destroy();
    assert.ok(events.includes(`seen close ${String(errorCodes.cancel)}`));
  });

  it("splits a large header list into CONTINUATION frames", () => {
    const { server, events, exchange, call } = connected();
    call("a", true);
    exchange();
    const value = createRandom(1).bytes(15_000).toString("hex").slice(0, 25_000);
    server.streams[0]?.sendHeaders(fieldsOf([":status", "200"], ["x-large", value]), true);
    exchange();
    assert.equal(events[0], `a headers :status=200 x-large=${value}`);
  });

  it("resets a stream whose header list is too large, and goes on", () => {
    const server = greetedServer({ limits: { maxHeaderListBytes: 1000 } });
    server.connection.receive(
      request(1, true, [...requestFields, ...Array.from({ length: 30 }, () => ["x", "y"] as const)]),
    );
    server.connection.receive(request(3, true));
    assert.deepEqual(
      server.sent().map(({ type, streamId, payload }) => [type, streamId, payload.readUInt32BE(0)]),
      [[frameTypes.rstStream, 1, errorCodes.enhanceYourCalm]],
    );
    assert.deepEqual(server.events.slice(0, 1), [`3 request ${postText}`]);
  });

  it("answers pings, and is told of answers to its own", () => {
    const { client, server, exchange } = connected();
    let answers = 0;
    client.ping(() => (answers += 1));
    server.connection.ping(() => (answers += 1));
    exchange();
    assert.equal(answers, 2);
  });

  it("ends a connection without SETTINGS in time, or with a header block that does not end", () => {
    let nowMs = 0;
    const silent = record({ now: () => nowMs });
    silent.connection.receive(preface);
    nowMs = 9999;
    silent.connection.tick();
    assert.ok(!silent.connection.closed);
    nowMs = 10_000;
    silent.connection.tick();
    assert.match(silent.error?.message ?? "", /no HTTP\/2 settings within 10000 ms/);
    const slow = greetedServer({ now: () => nowMs });
    slow.connection.receive(frame(frameTypes.headers, 0, 1, block(requestFields)));
    nowMs += 10_000;
    slow.connection.tick();
    assert.equal(goawayCode(slow), errorCodes.enhanceYourCalm);
  });

  it("resets the oldest of too many streams that the peer does not read, and no others", () => {
    let nowMs = 0;
    const server = greetedServer({ now: () => nowMs, limits: { maxStalledStreams: 2, stallTimeoutMs: 1000 } });
    for (let id = 1; id <= 9; id += 2) {
      nowMs += 1;
      server.connection.receive(request(id, true));
      server.streams.at(-1)?.sendHeaders(ok);
      server.streams.at(-1)?.write(Buffer.alloc(100_000));
    }
    server.connection.tick();
    assert.ok(!server.events.some((event) => event.includes("close")));
    nowMs += 1000;
    server.connection.tick();
    const closed = server.events.filter((event) => event.includes("close"));
    assert.equal(closed.length, 3);
    assert.ok(!closed.some((event) => event.startsWith("9 ")));
  });

  const violations: Readonly<Record<string, readonly [bytes: Buffer, code: number]>> = {
    "DATA on an idle stream": [frame(frameTypes.data, 0, 1, Buffer.alloc(1)), errorCodes.protocolError],
    "a frame inside a header block": [
      Buffer.concat([frame(frameTypes.headers, 0, 1, block(requestFields)), settings]),
      errorCodes.protocolError,
    ],
    "a frame larger than allowed": [frame(frameTypes.data, 0, 1, Buffer.alloc(16_385)), errorCodes.frameSizeError],
    "an even stream number": [request(2), errorCodes.protocolError],
    "a stream number lower than before": [Buffer.concat([request(5), request(3)]), errorCodes.protocolError],
    "a bad header block": [
      frame(frameTypes.headers, flags.endHeaders, 1, Buffer.from([0x80])),
      errorCodes.compressionError,
    ],
    "PUSH_PROMISE from a client": [frame(frameTypes.pushPromise, 4, 1, Buffer.alloc(8)), errorCodes.protocolError],
    "padding longer than the frame": [
      Buffer.concat([request(1), frame(frameTypes.data, flags.padded, 1, Buffer.from([9, 1]))]),
      errorCodes.protocolError,
    ],
    "a window of the connection that overflows": [
      frame(frameTypes.windowUpdate, 0, 0, uint32(0x7fff_ffff)),
      errorCodes.flowControlError,
    ],
    "a zero window update of the connection": [
      frame(frameTypes.windowUpdate, 0, 0, uint32(0)),
      errorCodes.protocolError,
    ],
    "SETTINGS of a wrong length": [frame(frameTypes.settings, 0, 0, Buffer.alloc(5)), errorCodes.frameSizeError],
    "PING of a wrong length": [frame(frameTypes.ping, 0, 0, Buffer.alloc(5)), errorCodes.frameSizeError],
    "an initial window out of range": [
      frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0x80, 0, 0, 0])),
      errorCodes.flowControlError,
    ],
    "more data than the connection's window": [
      Buffer.concat([
        ...Array.from({ length: 600 }, (_, index) => request(2 * index + 1)),
        ...Array.from({ length: 600 }, (_, index) => frame(frameTypes.data, 0, 2 * index + 1, Buffer.alloc(16_384))),
      ]),
      errorCodes.flowControlError,
    ],
  };
  for (const [what, [bytes, code]] of Object.entries(violations)) {
    it(`ends the connection for ${what}`, () => {
      const server = greetedServer({ paused: true, limits: { maxBufferedBytes: 0 } });
      server.connection.receive(bytes);
      assert.equal(goawayCode(server), code);
      assert.equal(server.events.at(-1), "over");
      server.connection.receive(request(99));
      assert.equal(server.events.at(-1), "over");
    });
  }

  const malformed: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
    "an upper-case name": [...requestFields, ["X-Upper", "x"]],
    "a field of the connection": [...requestFields, ["connection", "close"]],
    "te other than trailers": [...requestFields, ["te", "gzip"]],
    "a pseudo-header field after others": [["x", "y"], ...requestFields],
    "an unknown pseudo-header field": [...requestFields, [":proto", "x"]],
    "a pseudo-header field of responses": [...requestFields, [":status", "200"]],
    "no path": requestFields.filter(([name]) => name !== ":path"),
    "an empty path": requestFields.map(([name, value]) => [name, name === ":path" ? "" : value] as const),
    "a method twice": [...requestFields, [":method", "GET"]],
    "a line break in a value": [...requestFields, ["x", "a\r\nb"]],
    "a content-length that is no number": [...requestFields, ["content-length", "many"]],
  };
  for (const [what, fields] of Object.entries(malformed)) {
    it(`resets a stream whose request has ${what}`, () => {
      const server = greetedServer();
      server.connection.receive(Buffer.concat([request(1, true, fields), request(3, true)]));
      const [reset] = server.sent();
      assert.deepEqual([reset?.type, reset?.payload.readUInt32BE(0)], [frameTypes.rstStream, errorCodes.protocolError]);
      assert.ok(server.events[0]?.startsWith("3 request"));
    });
  }

  it("resets a stream whose content has another length than announced", () => {
    const server = greetedServer();
    const fields = [...requestFields, ["content-length", "3"]] as const;
    server.connection.receive(
      Buffer.concat([request(1, false, fields), frame(frameTypes.data, flags.endStream, 1, Buffer.alloc(2))]),
    );
    assert.equal(server.events.at(-1), `1 close ${String(errorCodes.protocolError)}`);
  });
});
