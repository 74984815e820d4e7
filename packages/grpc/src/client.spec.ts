import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { Metadata } from "./metadata.ts";
import { bytes, text } from "./testing/echo.ts";
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
});
