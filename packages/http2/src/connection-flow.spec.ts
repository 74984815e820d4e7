import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { errorCodes, frameTypes } from "./constants.ts";
import { fieldsOf } from "./field.ts";
import { frame, request, uint32 } from "./testing/frames.ts";
import { greetedServer } from "./testing/recorder.ts";

const ok = fieldsOf([":status", "200"]);

describe("Http2Connection, flow control", () => {
  it("holds data of a paused stream, and takes no more than its window", () => {
    const server = greetedServer({ paused: true, limits: { streamWindowBytes: 1000 } });
    server.connection.receive(Buffer.concat([request(1), frame(frameTypes.data, 0, 1, Buffer.alloc(600))]));
    assert.equal(server.connection.flow.bufferedBytes, 600);
    assert.deepEqual(
      server.sent().map(({ type }) => type),
      [],
      "no window update before it is read",
    );
    server.streams[0]?.resume();
    assert.deepEqual(
      server.sent().map(({ type, streamId, payload }) => [type, streamId, payload.readUInt32BE(0)]),
      [[frameTypes.windowUpdate, 1, 600]],
    );
    server.streams[0]?.pause();
    server.connection.receive(frame(frameTypes.data, 0, 1, Buffer.alloc(1001)));
    assert.deepEqual(
      server.sent().map(({ type }) => type),
      [frameTypes.rstStream],
    );
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

  it("gives few streams that are read larger windows, and takes them back when there are many", () => {
    const server = greetedServer({ limits: { streamWindowBytes: 1000, sharedWindowBytes: 4000 } });
    const send = (streamId: number, bytes: number): void =>
      server.connection.receive(frame(frameTypes.data, 0, streamId, Buffer.alloc(bytes)));
    const grants = (): number[][] =>
      server
        .sent()
        .filter(({ type, streamId }) => type === frameTypes.windowUpdate && streamId > 0)
        .map(({ streamId, payload }) => [streamId, payload.readUInt32BE(0)]);
    server.connection.receive(request(1));
    send(1, 499);
    assert.deepEqual(grants(), [], "less than half of the window was used");
    send(1, 1);
    assert.deepEqual(grants(), [[1, 500 + 3000]], "alone it has all that is shared");
    server.connection.receive(request(3));
    send(3, 500);
    assert.deepEqual(grants(), [[3, 500 + 1000]], "the half of it");
    send(1, 2000);
    assert.deepEqual(grants(), [], "its window becomes as small as the other's first");
    send(1, 600);
    assert.deepEqual(grants(), [[1, 600]]);
    for (const id of [5, 7, 9]) server.connection.receive(request(id));
    send(5, 500);
    assert.deepEqual(grants(), [[5, 500]], "never less than a stream begins with");
    assert.equal(server.connection.closed, false);
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
});
