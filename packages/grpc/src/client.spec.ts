import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer as createRelay, type AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { parseFrames } from "@talos-ts/http2/testing";
import { createChannel } from "./channel.ts";
import { createClient } from "./client.ts";
import { Metadata } from "./metadata.ts";
import { bytes, Echo, text } from "./testing/echo.ts";
import { collect, createPair, from } from "./testing/pair.ts";

describe("createClient", () => {
  it("makes unary calls", async () => {
    await using pair = await createPair();
    assert.equal(text(await pair.client.unary(bytes("hello"))), "hello");
    assert.equal(text(await pair.client.unary(bytes(""))), "");
  });

  it("reads server streams in order", async () => {
    await using pair = await createPair();
    const parts = await collect(pair.client.serverStream(bytes("abc")));
    assert.deepEqual(parts.map(text), ["a", "b", "c"]);
  });

  it("sends client streams", async () => {
    await using pair = await createPair();
    const joined = await pair.client.clientStream(from(bytes("a"), bytes("b"), bytes("c")));
    assert.equal(text(joined), "abc");
  });

  it("talks both ways on one stream", async () => {
    await using pair = await createPair();
    const answers = await collect(pair.client.bidi(from(bytes("x"), bytes("y"))));
    assert.deepEqual(answers.map(text), ["x", "y"]);
  });

  it("carries metadata with repeated and binary keys both ways", async () => {
    await using pair = await createPair();
    let header: Metadata | undefined;
    let trailer: Metadata | undefined;
    const metadata = new Metadata({
      "Echo-Text": ["a", "b, c"],
      "echo-data-bin": [Uint8Array.of(0, 255), Uint8Array.of(1)],
    });
    await pair.client.unary(bytes(""), {
      metadata,
      onHeader: (received) => (header = received),
      onTrailer: (received) => (trailer = received),
    });
    for (const received of [header, trailer]) {
      assert.deepEqual(received?.getAll("echo-text"), ["a", "b, c"]);
      assert.deepEqual(received?.getAll("echo-data-bin"), [Uint8Array.of(0, 255), Uint8Array.of(1)]);
    }
  });

  it("turns a status into an OsError of the same kind and text", async () => {
    await using pair = await createPair({
      unary: () => {
        throw new OsError({ kind: "failed-precondition", message: "100 % größer\nals gedacht" });
      },
    });
    await assert.rejects(pair.client.unary(bytes("")), (err: unknown) => {
      assert.ok(err instanceof OsError);
      assert.equal(err.kind, "failed-precondition");
      assert.equal(err.message, "100 % größer\nals gedacht");
      return true;
    });
  });

  it("answers UNIMPLEMENTED for a method without a handler", async () => {
    await using pair = await createPair();
    await assert.rejects(pair.client.missing(bytes("")), { kind: "unimplemented" });
  });

  it("delivers what the server sent before its error", async () => {
    await using pair = await createPair({
      async *serverStream() {
        yield bytes("one");
        throw new Error("broken");
      },
    });
    const stream = pair.client.serverStream(bytes(""));
    assert.equal(text((await stream.next()).value ?? bytes("?")), "one");
    await assert.rejects(stream.next(), { kind: "unknown", message: "broken" });
  });

  it("carries messages of many megabytes", async () => {
    await using pair = await createPair();
    const value = new Uint8Array(20 * 1024 * 1024).fill(7);
    const answer = await pair.client.unary({ value });
    assert.ok(Buffer.from(value.buffer).equals(answer.value));
  });

  it("tells the server nothing more about calls that went well", async () => {
    await using pair = await createPair();
    const sent: Buffer[] = [];
    const relay = createRelay((socket) => {
      const behind = connect(pair.address.replace("unix://", ""));
      socket.on("data", (chunk: Buffer) => void sent.push(chunk));
      // Bytes may still come when the other side has closed.
      for (const each of [socket, behind]) each.on("error", () => each.destroy());
      socket.pipe(behind).pipe(socket);
    });
    relay.listen(0, "127.0.0.1");
    await once(relay, "listening");
    await using channel = createChannel({ target: `127.0.0.1:${String((relay.address() as AddressInfo).port)}` });
    const client = createClient(Echo, channel);
    await client.unary(bytes("x"));
    await collect(client.bidi(from(bytes("a"), bytes("b"))));
    await client.unary(bytes("y"));
    const preface = 24;
    const types = parseFrames(Buffer.concat(sent).subarray(preface)).map(({ type }) => type);
    assert.ok(types.length > 5);
    assert.ok(!types.includes(3), "no RST_STREAM");
    await channel.close();
    relay.close();
  });
});
