import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { OsError } from "@talos-ts/base";
import { createChannel, type Channel } from "./channel.ts";
import { createClient, type Client } from "./client.ts";
import { Metadata } from "./metadata.ts";
import { MetadataPatch } from "./metadata-patch.ts";
import { forwardCall } from "./proxy.ts";
import { openRawCall } from "./raw-call.ts";
import { createServer } from "./server.ts";
import type { RawHandler } from "./context.ts";
import type { ServiceImpl } from "./service-impl.ts";
import { createAuthority } from "./testing/certificates.ts";
import { bytes, Echo, text, type EchoService } from "./testing/echo.ts";
import { collect, createPair, failureOf, from } from "./testing/pair.ts";
import { temporaryDirectory } from "@talos-ts/host/testing";

interface Proxied extends AsyncDisposable {
  readonly client: Client<EchoService>;
  readonly backend: Channel;
}

/** A client, a proxy before it, and an echo server behind. */
async function createProxied(
  impl: ServiceImpl<EchoService> = {},
  forward?: RawHandler,
  front: "unix" | "tls" = "unix",
): Promise<Proxied> {
  const stack = new AsyncDisposableStack();
  const directory = stack.use(await temporaryDirectory());
  const pair = stack.use(await createPair(impl));
  const handler = forward ?? ((call) => forwardCall(call, { channel: pair.channel }));
  const proxy = stack.use(createServer({ graceMs: 0 }).setFallback(handler));
  const authority = createAuthority();
  const material = authority.issue({ names: ["127.0.0.1"] });
  const { address } = await proxy.listen(
    front === "unix" ? { unix: join(directory.path, "p") } : { host: "127.0.0.1", port: 0, tls: { material } },
  );
  const tls = front === "tls" && { tls: { material: { ca: authority.ca } } };
  const channel = stack.use(createChannel({ target: address, ...tls }));
  return {
    client: createClient(Echo, channel),
    backend: pair.channel,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

describe("forwardCall", () => {
  it("forwards every kind of call", async () => {
    await using proxied = await createProxied();
    const { client } = proxied;
    assert.equal(text(await client.unary(bytes("x"))), "x");
    assert.deepEqual((await collect(client.serverStream(bytes("abc")))).map(text), ["a", "b", "c"]);
    assert.equal(text(await client.clientStream(from(bytes("a"), bytes("b")))), "ab");
    assert.deepEqual((await collect(client.bidi(from(bytes("a"), bytes("b"))))).map(text), ["a", "b"]);
    const value = new Uint8Array(8 << 20).fill(3);
    assert.ok(Buffer.from(value.buffer).equals((await client.unary({ value })).value));
  });

  it("forwards metadata, status and deadline", async () => {
    let left = 0;
    await using proxied = await createProxied({
      missing: (_request, { deadlineMs }) => {
        left = (deadlineMs ?? 0) - Date.now();
        return {};
      },
    });
    const received: Metadata[] = [];
    const note = (each: Metadata): void => void received.push(each);
    const metadata = { "echo-text": ["a", "b"], "echo-data-bin": Uint8Array.of(0, 255) };
    await proxied.client.unary(bytes(""), { metadata, onHeader: note, onTrailer: note });
    assert.deepEqual(
      received.map((each) => [...each.entries()].length),
      [3, 3],
    );
    const err = await failureOf(proxied.client.unary(bytes(""), { metadata: { fail: "because" } }));
    assert.equal(err.message, "because ü%");
    assert.equal((err.details["grpcDetails"] as unknown[]).length, 1);
    await proxied.client.missing(bytes(""), { timeoutMs: 60_000 });
    assert.ok(left > 50_000 && left <= 60_001, String(left));
  });

  it("changes metadata, or replaces it", async () => {
    await using target = await createPair();
    const patch = new MetadataPatch({ "echo-added": "yes", "echo-changed": ["new", "newer"] }, ["echo-removed"]);
    await using proxied = await createProxied({}, (call) =>
      forwardCall(
        call,
        call.valuesOf("echo-replace").length > 0
          ? { channel: target.channel, metadata: { "echo-only": "this" } }
          : { channel: target.channel, patch },
      ),
    );
    const trailerOf = async (
      metadata: Readonly<Record<string, string>>,
    ): Promise<Readonly<Record<string, unknown>>> => {
      let trailer = new Metadata();
      await proxied.client.unary(bytes(""), { metadata, onTrailer: (each) => (trailer = each) });
      return Object.fromEntries([...trailer.keys()].map((key) => [key, trailer.getAll(key)]));
    };
    assert.deepEqual(await trailerOf({ "echo-kept": "a", "echo-changed": "old", "echo-removed": "b" }), {
      "echo-kept": ["a"],
      "echo-added": ["yes"],
      "echo-changed": ["new", "newer"],
    });
    assert.deepEqual(await trailerOf({ "echo-replace": "x" }), { "echo-only": ["this"] });
  });

  it("can be refused by its handler", async () => {
    await using proxied = await createProxied({}, () => {
      throw new OsError({ kind: "permission-denied", message: "not you" });
    });
    await assert.rejects(collect(proxied.client.bidi(from())), { kind: "permission-denied", message: "not you" });
  });

  it("cancels the call behind when the caller goes away", async () => {
    const cancelled = Promise.withResolvers<void>();
    await using proxied = await createProxied({
      async *serverStream(_request, { signal }) {
        signal.addEventListener("abort", () => cancelled.resolve());
        yield bytes("x");
        await new Promise(() => {});
      },
    });
    for await (const _ of proxied.client.serverStream(bytes(""))) break;
    await cancelled.promise;
  });

  it("reads neither side faster than the other takes", async () => {
    let produced = 0;
    const value = new Uint8Array(64 * 1024);
    await using proxied = await createProxied({
      async *serverStream() {
        for (; produced < 1500; produced += 1) yield { value };
      },
    });
    const stream = proxied.client.serverStream(bytes(""));
    await stream.next();
    for (let before = -1; before !== produced;) {
      before = produced;
      for (let round = 0; round < 3; round += 1) await proxied.client.unary(bytes(""));
    }
    assert.ok(produced < 400, `produced ${String(produced)} messages for a reader that took one`);
    let count = 1;
    for await (const _ of stream) count += 1;
    assert.equal(count, 1500);
  });

  for (const front of ["unix", "tls"] as const) {
    it(`keeps the bytes of streams apart while their readers stop, go and leave, over ${front}`, async () => {
      const sizes = [10, 300, 8000, 9000, 17_000, 40_000];
      const message = (stream: number, index: number): Uint8Array =>
        new Uint8Array(sizes[(stream + index) % sizes.length] ?? 0).fill(stream * 31 + index);
      await using proxied = await createProxied(
        {
          async *serverStream({ value }) {
            for (let index = 0; index < 160; index += 1) yield { value: message(value[0] ?? 0, index) };
          },
        },
        undefined,
        front,
      );
      const read = async (stream: number, last: number): Promise<void> => {
        let index = 0;
        for await (const { value } of proxied.client.serverStream({ value: Uint8Array.of(stream) })) {
          assert.ok(Buffer.from(message(stream, index)).equals(value), `stream ${stream}, message ${index}`);
          index += 1;
          if (index === last) break;
          // Some readers let several turns of the event loop pass, so that windows close and data waits in the proxy.
          for (let turn = 0; turn < stream % 4; turn += 1) await setImmediate();
        }
        assert.equal(index, last);
      };
      await Promise.all(Array.from({ length: 12 }, (_, stream) => read(stream, stream % 3 === 2 ? 40 : 160)));
    });
  }

  it("answers UNAVAILABLE when the server behind is not there or goes away", async () => {
    await using channel = createChannel({ target: "unix:///nonexistent/socket" });
    await using proxied = await createProxied({}, (call) => forwardCall(call, { channel }));
    await assert.rejects(proxied.client.unary(bytes("")), { kind: "unavailable" });
    await using dying = await createPair({
      async *serverStream() {
        yield bytes("x");
        await new Promise(() => {});
      },
    });
    await using other = await createProxied({}, (call) => forwardCall(call, { channel: dying.channel }));
    const stream = other.client.serverStream(bytes(""));
    await stream.next();
    await dying.server.close(0);
    await assert.rejects(stream.next(), { kind: "unavailable" });
  });
});

describe("openRawCall", () => {
  it("sends one request to many and gives their raw answers", async () => {
    await using first = await createPair({ unary: () => bytes("1") });
    await using second = await createPair({ unary: () => bytes("2") });
    const request = Uint8Array.of(0x0a, 1, 0x78);
    const answers = await Promise.all(
      [first, second].map(async ({ channel }) => {
        const call = openRawCall(channel, "/interop.Echo/Unary");
        call.closeSend(request);
        const [message] = await collect(call.responses);
        assert.equal((await call.status).error, undefined);
        return Buffer.from(message ?? []).toString("hex");
      }),
    );
    assert.deepEqual(answers, ["0a0131", "0a0132"]);
  });

  it("reports the status without rejecting", async () => {
    await using pair = await createPair();
    const call = openRawCall(pair.channel, "/interop.Echo/Absent");
    call.closeSend(new Uint8Array());
    assert.equal((await call.status).error?.kind, "unimplemented");
    await assert.rejects(call.responses.next(), { kind: "unimplemented" });
  });
});
