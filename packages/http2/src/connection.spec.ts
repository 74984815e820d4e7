import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defaultWindowBytes, errorCodes, flags, frameTypes, preface } from "./constants.ts";
import { fieldsOf } from "./field.ts";
import { connected } from "./testing/connected.ts";
import { block, frame, request, requestFields, settings, uint32 } from "./testing/frames.ts";
import { createRandom } from "./testing/random.ts";
import { goawayCode, greetedServer, record } from "./testing/recorder.ts";

const ok = fieldsOf([":status", "200"]);
const postText = requestFields.map((pair) => pair.join("=")).join(" ");

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
    assert.deepEqual(
      server.sent().map(({ type }) => type),
      [frameTypes.goaway, frameTypes.ping],
    );
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

  it("lets an acknowledgement of PING wait for other output", () => {
    const ping = frame(frameTypes.ping, 0, 0, Buffer.alloc(8));
    const told: string[] = [];
    const server = greetedServer({ told });
    server.connection.receive(Buffer.concat([request(1, true), ping]));
    server.connection.receive(ping);
    assert.deepEqual(told, ["ack"]);
    server.streams[0]?.sendHeaders(ok, true);
    assert.deepEqual(told, ["ack", "output"]);
    assert.deepEqual(
      server.sent().map(({ type }) => type),
      [frameTypes.headers, frameTypes.ping, frameTypes.ping],
    );
    told.length = 0;
    server.connection.receive(Buffer.concat([request(3), ping, ping, ping, ping]));
    assert.deepEqual(told, ["output"], "many are not held back");
    assert.equal(server.sent().filter(({ type }) => type === frameTypes.ping).length, 4);
  });

  it("lets an acknowledgement of PING wait behind data that waits for window, until it is told to release it", () => {
    const told: string[] = [];
    const server = greetedServer({ told });
    const types = (): number[] => server.sent().map(({ type }) => type);
    server.connection.receive(request(1, true));
    server.streams[0]?.sendHeaders(ok);
    server.streams[0]?.write(Buffer.alloc(defaultWindowBytes + 1));
    types();
    told.length = 0;
    const payload = Buffer.from("opaque 8");
    server.connection.receive(frame(frameTypes.ping, 0, 0, payload));
    payload.fill(0);
    assert.deepEqual(told, ["ack"]);
    assert.deepEqual(types(), []);
    server.connection.receive(frame(frameTypes.windowUpdate, 0, 0, uint32(1)));
    server.connection.receive(frame(frameTypes.windowUpdate, 0, 1, uint32(1)));
    assert.deepEqual(types(), [frameTypes.data, frameTypes.ping], "it leaves with the last of the data");

    server.streams[0]?.write(Buffer.alloc(1));
    told.length = 0;
    server.connection.receive(frame(frameTypes.ping, 0, 0, Buffer.from("opaque 9")));
    server.connection.releaseAcks();
    assert.deepEqual(told, ["ack", "output"]);
    assert.deepEqual(
      server.sent().map(({ type, payload }) => [type, payload.toString()]),
      [[frameTypes.ping, "opaque 9"]],
    );
    server.connection.releaseAcks();
    assert.deepEqual(types(), []);
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
});
