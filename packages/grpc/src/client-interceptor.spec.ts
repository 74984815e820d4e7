import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClient } from "./client.ts";
import type { ClientInterceptor } from "./client-call.ts";
import { bytes, Echo, text } from "./testing/echo.ts";
import { collect, createPair, from } from "./testing/pair.ts";

describe("ClientInterceptor", () => {
  it("sees every kind of call from request to status, outermost first", async () => {
    const order: string[] = [];
    const note =
      (name: string): ClientInterceptor =>
      async (context, next) => {
        order.push(`${name} ${context.method.name}`);
        context.metadata.append("echo-by", name);
        await next();
        order.push(`${name} ${String(context.responseTrailer?.getAll("echo-by").join("+"))}`);
      };
    await using pair = await createPair();
    const client = createClient(Echo, pair.channel, {
      interceptors: [note("a"), note("b")],
      metadata: { "echo-by": "me" },
    });
    await client.unary(bytes("x"));
    assert.deepEqual(order.splice(0), ["a Unary", "b Unary", "b me+a+b", "a me+a+b"]);
    assert.deepEqual((await collect(client.serverStream(bytes("xy")))).map(text), ["x", "y"]);
    assert.deepEqual(order.splice(0), ["a ServerStream", "b ServerStream", "b me+a+b", "a me+a+b"]);
    assert.equal(text(await client.clientStream(from(bytes("x")))), "x");
    assert.deepEqual((await collect(client.bidi(from(bytes("x"))))).map(text), ["x"]);
  });

  it("may refuse a call or put another error in place of its own", async () => {
    await using pair = await createPair();
    const refuse: ClientInterceptor = () => Promise.reject(new Error("refused"));
    const client = createClient(Echo, pair.channel, { interceptors: [refuse] });
    await assert.rejects(client.unary(bytes("")), /refused/);
    await assert.rejects(collect(client.serverStream(bytes(""))), /refused/);
    const replace: ClientInterceptor = async (_context, next) => {
      await next().catch(() => Promise.reject(new Error("replaced")));
    };
    const other = createClient(Echo, pair.channel, { interceptors: [replace] });
    await assert.rejects(collect(other.serverStream(bytes(""), { metadata: { fail: "x" } })), /replaced/);
  });

  it("may make a unary call again", async () => {
    let attempts = 0;
    await using pair = await createPair({
      unary: (request) => {
        attempts += 1;
        if (attempts < 3) throw new Error("not yet");
        return request;
      },
    });
    const retry: ClientInterceptor = async (_context, next) => {
      for (let left = 2; ; left -= 1) {
        try {
          return await next();
        } catch (err) {
          if (left === 0) throw err;
        }
      }
    };
    const client = createClient(Echo, pair.channel, { interceptors: [retry] });
    assert.equal(text(await client.unary(bytes("third"))), "third");
  });
});
