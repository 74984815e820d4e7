import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BytesValueSchema, type BytesValue } from "@bufbuild/protobuf/wkt";
import { EventSchema } from "@talos-ts/proto/cosi/resource";
import { encodeMessage } from "./encode-message.ts";

const messageOf = (length: number): BytesValue =>
  create(BytesValueSchema, { value: new Uint8Array(length).fill(length % 251) });

describe("encodeMessage()", () => {
  it("gives the bytes of a message, with a large field in its own memory", () => {
    for (const length of [0, 1, 100, 4095, 4096, 65_536, 3_000_000]) {
      const message = messageOf(length);
      const { head, tail } = encodeMessage(BytesValueSchema, message);
      const joined = Buffer.concat([head, tail ?? new Uint8Array(0)]);
      assert.ok(joined.equals(toBinary(BytesValueSchema, message)), `${String(length)} bytes`);
      assert.deepEqual(fromBinary(BytesValueSchema, joined).value.length, length);
      assert.equal(tail?.buffer, length >= 4096 ? message.value.buffer : undefined);
    }
  });

  it("takes optional fields that are set, and that are not", () => {
    for (const bookmark of [undefined, new Uint8Array(10), new Uint8Array(5000).fill(7)]) {
      const message = create(EventSchema, bookmark === undefined ? {} : { bookmark });
      const { head, tail } = encodeMessage(EventSchema, message);
      const decoded = fromBinary(EventSchema, Uint8Array.from([...head, ...(tail ?? [])]));
      assert.deepEqual(decoded.bookmark, bookmark);
    }
  });

  it("leaves a message as it was", () => {
    const message = messageOf(5000);
    const { value } = message;
    encodeMessage(BytesValueSchema, message);
    assert.equal(message.value, value);
  });
});
