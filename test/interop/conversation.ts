import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { anyUnpack, StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "@talos-ts/proto/grpc/health";
import { createClient, grpcDetailsOf, Metadata, type Channel } from "@talos-ts/grpc";
import { bytes, collect, Echo, failureOf, from, text } from "@talos-ts/grpc/testing";

/** Tests what our client must be able to say to a foreign echo server; `channel` is asked when the tests run. */
export function converse(name: string, channel: () => Channel): void {
  void describe(name, () => {
    void it("answers unary calls, empty, small and large", async () => {
      const client = createClient(Echo, channel());
      assert.equal(text(await client.unary(bytes(""))), "");
      assert.equal(text(await client.unary(bytes("hello"))), "hello");
      const value = new Uint8Array(16 * 1024 * 1024).fill(9);
      assert.ok(Buffer.from(value.buffer).equals((await client.unary({ value })).value));
    });

    void it("answers many calls at once", async () => {
      const client = createClient(Echo, channel());
      const calls = Array.from({ length: 200 }, (_, index) => client.unary(bytes(String(index))));
      assert.deepEqual(
        (await Promise.all(calls)).map(text),
        Array.from({ length: 200 }, (_, index) => String(index)),
      );
    });

    void it("streams both ways", async () => {
      const client = createClient(Echo, channel());
      assert.deepEqual((await collect(client.serverStream(bytes("abc")))).map(text), ["a", "b", "c"]);
      assert.equal(text(await client.clientStream(from(bytes("a"), bytes(""), bytes("bc")))), "abc");
      assert.deepEqual((await collect(client.bidi(from(bytes("x"), bytes("y"))))).map(text), ["x", "y"]);
    });

    void it("may answer before the request ends", async () => {
      async function* requests() {
        yield bytes("abc");
        yield bytes("enough");
        for (;;) yield { value: new Uint8Array(1000) };
      }
      assert.equal(text(await createClient(Echo, channel()).clientStream(requests())), "abc");
    });

    void it("carries metadata as header and trailer", async () => {
      const metadata = new Metadata({ "echo-text": ["a", "b, c"], "echo-data-bin": [Uint8Array.of(0, 255)] });
      const received: Metadata[] = [];
      const note = (each: Metadata): void => void received.push(each);
      await createClient(Echo, channel()).unary(bytes(""), { metadata, onHeader: note, onTrailer: note });
      assert.equal(received.length, 2);
      for (const each of received) {
        assert.deepEqual(each.getAll("echo-data-bin"), [Uint8Array.of(0, 255)]);
        assert.deepEqual(each.getAll("echo-text").join("|").replace("a, b", "a|b"), "a|b, c");
      }
    });

    void it("says why it failed, with details", async () => {
      const err = await failureOf(createClient(Echo, channel()).unary(bytes(""), { metadata: { fail: "because" } }));
      assert.equal(err.kind, "failed-precondition");
      assert.equal(err.message, "because ü%");
      const [detail] = grpcDetailsOf(err);
      assert.equal(detail && anyUnpack(detail, StringValueSchema)?.value, "detail");
    });

    void it("is held to deadlines and cancellation", async () => {
      const client = createClient(Echo, channel());
      await assert.rejects(client.unary(bytes("wait"), { timeoutMs: 50 }), { kind: "deadline-exceeded" });
      const controller = new AbortController();
      async function* requests() {
        yield bytes("x");
        await new Promise(() => {});
      }
      const stream = client.bidi(requests(), { signal: controller.signal });
      await stream.next();
      controller.abort();
      await assert.rejects(stream.next(), { kind: "cancelled" });
    });

    void it("knows which methods it lacks", async () => {
      await assert.rejects(createClient(Echo, channel()).missing(bytes("")), { kind: "unimplemented" });
    });

    void it("tells its health if it has that service", async () => {
      const answer = await createClient(Health, channel())
        .check({})
        .catch((err: unknown) => assert.equal((err as { kind: string }).kind, "unimplemented"));
      if (answer !== undefined) assert.equal(answer.status, ServingStatus.SERVING);
    });
  });
}
