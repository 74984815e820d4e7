import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { connect } from "node:http2";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { create } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";
import { HealthCheckRequestSchema } from "@talos-ts/proto/grpc/health";
import { createChannel } from "./channel.ts";
import { createClient } from "./client.ts";
import type { CallContext } from "./context.ts";
import { createServer } from "./server.ts";
import { grpcDetailsOf } from "./status.ts";
import { bytes, Echo, echo, text } from "./testing/echo.ts";
import { collect, createPair, failureOf, from } from "./testing/pair.ts";
import { temporaryDirectory } from "@talos-ts/host/testing";

describe("createServer", () => {
  it("aborts the handler's signal when a unary caller cancels", async () => {
    const seen = Promise.withResolvers<unknown>();
    const entered = Promise.withResolvers<void>();
    await using pair = await createPair({
      unary: (_request, { signal }) => {
        signal.addEventListener("abort", () => seen.resolve(signal.reason));
        entered.resolve();
        return new Promise(() => {});
      },
    });
    const controller = new AbortController();
    const call = pair.client.unary(bytes(""), { signal: controller.signal });
    await entered.promise;
    controller.abort();
    await assert.rejects(call, { kind: "cancelled" });
    assert.ok(((await seen.promise) as OsError).kind === "cancelled");
  });

  it("ends a handler's generator when the reader of the stream stops", async () => {
    const ended = Promise.withResolvers<void>();
    await using pair = await createPair({
      async *serverStream() {
        try {
          for (;;) yield bytes("x");
        } finally {
          ended.resolve();
        }
      },
    });
    for await (const message of pair.client.serverStream(bytes(""))) {
      assert.equal(text(message), "x");
      break;
    }
    await ended.promise;
  });

  it("lets a handler use the memory of a response again when it is asked for the next", async () => {
    const sizes = [100, 5000, 20_000, 65_536, 300_000];
    const count = 200;
    await using pair = await createPair({
      async *serverStream({ value: [stream = 0] }) {
        const memory = new Uint8Array(300_000);
        for (let index = 0; index < count; index += 1) {
          memory.fill(stream * 7 + index);
          yield { value: memory.subarray(0, sizes[(stream + index) % sizes.length]) };
        }
      },
    });
    const read = async (stream: number): Promise<void> => {
      let index = 0;
      for await (const { value } of pair.client.serverStream({ value: Uint8Array.of(stream) })) {
        const expected = Buffer.alloc(sizes[(stream + index) % sizes.length] ?? 0, (stream * 7 + index) & 0xff);
        assert.ok(expected.equals(value), `stream ${stream}, message ${index}`);
        index += 1;
        // A slow reader: windows close, and responses wait at the server.
        for (let turn = 0; turn < stream; turn += 1) await setImmediate();
      }
      assert.equal(index, count);
    };
    await Promise.all([0, 1, 2, 3].map(read));
  });

  it("cancels a handler that waits on a request stream the caller abandons", async () => {
    const failed = Promise.withResolvers<unknown>();
    const received = Promise.withResolvers<void>();
    await using pair = await createPair({
      async clientStream(requests) {
        try {
          for await (const _ of requests) received.resolve();
        } catch (err) {
          failed.resolve(err);
        }
        return {};
      },
    });
    const controller = new AbortController();
    async function* requests() {
      yield bytes("a");
      await received.promise;
      controller.abort();
      await new Promise(() => {});
    }
    await assert.rejects(pair.client.clientStream(requests(), { signal: controller.signal }), { kind: "cancelled" });
    assert.equal(((await failed.promise) as OsError).kind, "cancelled");
  });

  it("tells the handler the deadline and ends the call when it passes", async () => {
    const deadline = Promise.withResolvers<number | undefined>();
    const aborted = Promise.withResolvers<void>();
    await using pair = await createPair({
      unary: (_request, { deadlineMs, signal }) => {
        deadline.resolve(deadlineMs);
        signal.addEventListener("abort", () => aborted.resolve());
        return new Promise(() => {});
      },
    });
    const before = Date.now();
    await assert.rejects(pair.client.unary(bytes(""), { timeoutMs: 2000 }), { kind: "deadline-exceeded" });
    await aborted.promise;
    assert.ok(((await deadline.promise) ?? 0) >= before);
  });

  it("pauses the producer when the reader is slow", async () => {
    let produced = 0;
    const value = new Uint8Array(64 * 1024);
    await using pair = await createPair({
      async *serverStream() {
        for (; produced < 1000; produced += 1) yield { value };
      },
    });
    const stream = pair.client.serverStream(bytes(""));
    await stream.next();
    for (let before = -1; before !== produced;) {
      before = produced;
      await pair.client.unary(bytes("a round trip, in which an unchecked producer would go on"));
    }
    assert.ok(produced < 200, `produced ${String(produced)} messages for a reader that took one`);
    let count = 1;
    for await (const _ of stream) count += 1;
    assert.equal(count, 1000);
  });

  it("pauses the sender when the handler reads slowly", async () => {
    let sent = 0;
    const go = Promise.withResolvers<void>();
    const value = new Uint8Array(64 * 1024);
    await using pair = await createPair({
      async clientStream(requests) {
        await go.promise;
        let count = 0;
        for await (const _ of requests) count += 1;
        return bytes(String(count));
      },
    });
    async function* requests() {
      for (; sent < 1000; sent += 1) yield { value };
    }
    const call = pair.client.clientStream(requests());
    for (let before = -1; before !== sent;) {
      before = sent;
      await pair.client.unary(bytes("a round trip, in which an unchecked sender would go on"));
    }
    assert.ok(sent < 200, `sent ${String(sent)} messages to a handler that took none`);
    go.resolve();
    assert.equal(text(await call), "1000");
  });

  it("answers before the caller has finished sending and stops it", async () => {
    const stopped = Promise.withResolvers<void>();
    await using pair = await createPair({ clientStream: () => bytes("enough") });
    async function* requests() {
      try {
        for (;;) yield { value: new Uint8Array(1024) };
      } finally {
        stopped.resolve();
      }
    }
    assert.equal(text(await pair.client.clientStream(requests())), "enough");
    await stopped.promise;
  });

  it("sends typed details with the status", async () => {
    const detail = anyPack(HealthCheckRequestSchema, create(HealthCheckRequestSchema, { service: "x" }));
    await using pair = await createPair({
      unary: () => {
        throw new OsError({ kind: "aborted", message: "busy", details: { grpcDetails: [detail] } });
      },
    });
    const err = await failureOf(pair.client.unary(bytes("")));
    assert.deepEqual(grpcDetailsOf(err), [detail]);
  });

  it("runs interceptors outermost first, around handlers and fallback, and lets them refuse", async () => {
    const order: string[] = [];
    const key = Symbol("note");
    const note = (name: string) => async (context: CallContext, next: () => Promise<void>) => {
      order.push(`${name}>`);
      context.values.set(key, name);
      if (context.metadata.get("refuse") === name) throw new OsError({ kind: "permission-denied", message: name });
      await next();
      order.push(`<${name}`);
    };
    await using pair = await createPair({}, { interceptors: [note("a"), note("b")] });
    await pair.client.unary(bytes(""));
    assert.deepEqual(order, ["a>", "b>", "<b", "<a"]);
    await assert.rejects(pair.client.unary(bytes(""), { metadata: { refuse: "b" } }), { kind: "permission-denied" });
    pair.server.setFallback((call) => call.send(new Uint8Array()));
    assert.equal(text(await pair.client.missing(bytes("")).catch(() => bytes("missing"))), "missing");
  });

  it("refuses messages over its limit, announced or sent", async () => {
    await using pair = await createPair(
      { missing: () => ({ value: new Uint8Array(2000) }) },
      { maxReceiveBytes: 1000, maxSendBytes: 1500 },
    );
    await assert.rejects(pair.client.unary({ value: new Uint8Array(1200) }), { kind: "resource-exhausted" });
    await assert.rejects(pair.client.missing(bytes("")), { kind: "resource-exhausted" });
    assert.equal(text(await pair.client.unary(bytes("still alive"))), "still alive");
  });

  it("lets open calls finish when it closes, and takes no new ones", async () => {
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    await using pair = await createPair({
      unary: async (request) => {
        entered.resolve();
        await release.promise;
        return request;
      },
    });
    const call = pair.client.unary(bytes("slow"));
    await entered.promise;
    const closed = pair.server.close(10_000);
    let kind = "";
    while (kind !== "unavailable") kind = (await failureOf(pair.client.missing(bytes("")))).kind;
    release.resolve();
    assert.equal(text(await call), "slow");
    await closed;
  });

  it("ends calls that outlast the grace period", async () => {
    await using pair = await createPair({ unary: () => new Promise(() => {}) });
    const call = pair.client.unary(bytes(""));
    await collect(pair.client.serverStream(bytes("x")));
    await pair.server.close(20);
    await assert.rejects(call, { kind: "unavailable" });
  });

  it("gives a unix socket its mode and removes it when closed", async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, "s");
    await using server = createServer().addService(Echo, echo);
    const first = await server.listen({ unix: path, mode: 0o660 });
    assert.equal((await stat(path)).mode & 0o777, 0o660);
    await using other = createServer().addService(Echo, echo);
    await other.listen({ unix: path });
    await first.close();
    assert.equal((await stat(path)).mode & 0o777, 0o600, "the successor's socket stays");
    await other.close();
    await assert.rejects(stat(path), { code: "ENOENT" });
  });

  it("tells the handler who calls", async () => {
    const peers: string[] = [];
    await using server = createServer().addService(Echo, {
      unary: (request, { peer, authority }) => {
        peers.push(`${peer.transport} ${String(peer.ip)} ${authority}`);
        assert.equal(typeof (peer.socket as unknown as { _handle: { fd: number } })._handle.fd, "number");
        return request;
      },
    });
    const { address, port } = await server.listen({ host: "127.0.0.1", port: 0 });
    await using channel = createChannel({ target: address });
    await createClient(Echo, channel).unary(bytes(""));
    assert.deepEqual(peers, [`tcp 127.0.0.1 127.0.0.1:${String(port)}`]);
  });

  it("says where it cannot listen", async () => {
    await using server = createServer();
    const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
    await assert.rejects(server.listen({ host: "127.0.0.1", port }), { code: "grpc/listen" });
    await assert.rejects(server.listen({ unix: "/nonexistent/s" }), { code: "grpc/listen" });
  });

  it("delivers a status whose text is too long for a header, shortened", async () => {
    await using pair = await createPair({
      unary: () => {
        throw new OsError({ kind: "aborted", message: "ü".repeat(100_000) });
      },
    });
    const err = await failureOf(pair.client.unary(bytes("")));
    assert.equal(err.kind, "aborted");
    assert.ok(err.message.length < 3000 && err.message.endsWith("…"));
  });

  it("refuses what is not gRPC, with an HTTP status", async () => {
    await using server = createServer({ graceMs: 0 });
    const { address } = await server.listen({ host: "127.0.0.1", port: 0 });
    const session = connect(`http://${address}`);
    const status = (headers: Record<string, string>) =>
      new Promise((resolve) => {
        const stream = session.request(headers);
        stream.on("response", (response) => resolve(response[":status"]));
        stream.end();
      });
    assert.equal(await status({ ":path": "/" }), 405);
    assert.equal(await status({ ":path": "/", ":method": "POST", "content-type": "text/plain" }), 415);
    session.close();
  });

  it("refuses compressed messages and malformed deadlines with a status", async () => {
    await using server = createServer({ graceMs: 0 }).addService(Echo, echo);
    const { address } = await server.listen({ host: "127.0.0.1", port: 0 });
    const session = connect(`http://${address}`);
    const status = (extra: Record<string, string>, body: number[]) =>
      new Promise((resolve) => {
        const stream = session.request({
          ":path": "/interop.Echo/Unary",
          ":method": "POST",
          "content-type": "application/grpc",
          ...extra,
        });
        stream.on("response", (response) => resolve(response["grpc-status"]));
        stream.end(Buffer.from(body));
      });
    assert.equal(await status({ "grpc-encoding": "gzip" }, [0, 0, 0, 0, 0]), "12");
    assert.equal(await status({}, [1, 0, 0, 0, 0]), "12");
    assert.equal(await status({ "grpc-timeout": "soon" }, [0, 0, 0, 0, 0]), "13");
    assert.equal(await status({}, [0, 0, 0, 0, 9, 1]), "13", "ends inside a message");
    assert.equal(await status({}, []), "12", "no message");
    assert.equal(await status({}, [0, 0, 0, 0, 2, 255, 255]), "13", "not protobuf");
    session.close();
  });

  it("keeps bidirectional streams independent of each other", async () => {
    await using pair = await createPair();
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        collect(pair.client.bidi(from(bytes(`${String(index)}a`), bytes(`${String(index)}b`)))),
      ),
    );
    assert.deepEqual(
      all.map((answers) => answers.map(text)),
      Array.from({ length: 50 }, (_, i) => [`${String(i)}a`, `${String(i)}b`]),
    );
  });
});
