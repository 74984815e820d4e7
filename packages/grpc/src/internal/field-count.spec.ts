import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { ListRequestSchema } from "@talos-ts/proto/cosi/resource";
import { checkFieldCount } from "./field-count.ts";

const request = (terms: number): Uint8Array =>
  toBinary(
    ListRequestSchema,
    create(ListRequestSchema, {
      options: { labelQuery: [{ terms: Array.from({ length: terms }, () => ({ key: "" })) }] },
    }),
  );

describe("checkFieldCount()", () => {
  it("counts the fields of messages inside, and refuses more than it was told", () => {
    checkFieldCount(ListRequestSchema, request(8), 10);
    assert.throws(() => checkFieldCount(ListRequestSchema, request(9), 10), {
      code: "grpc/too-many-fields",
      kind: "resource-exhausted",
    });
  });

  it("names bytes that are no message", () => {
    assert.throws(() => checkFieldCount(ListRequestSchema, Buffer.from([0x0a, 0xff]), 10), {
      code: "grpc/bad-message",
    });
  });
});
