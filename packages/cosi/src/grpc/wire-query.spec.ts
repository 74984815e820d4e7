import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { LabelQuerySchema, LabelTerm_Operation } from "@talos-ts/proto/cosi/resource";
import { decodeQuery } from "./wire-query.ts";

const term = { key: "a", op: LabelTerm_Operation.EXISTS, value: [], invert: false };

describe("decodeQuery()", () => {
  it("takes a query of as many terms as people write", () => {
    const labelQuery = [create(LabelQuerySchema, { terms: Array.from({ length: 200 }, () => term) })];
    assert.equal(decodeQuery({ labelQuery }).labels?.[0]?.terms.length, 200);
  });

  it("refuses a query of many terms, of many values and of many queries", () => {
    const many = Array.from({ length: 300 }, () => term);
    const values = [{ ...term, op: LabelTerm_Operation.IN, value: many.map(({ key }) => key) }];
    for (const labelQuery of [
      [create(LabelQuerySchema, { terms: many })],
      [create(LabelQuerySchema, { terms: values })],
      many.map(() => create(LabelQuerySchema, {})),
    ]) {
      assert.throws(() => decodeQuery({ labelQuery }), { code: "cosi/query-too-large", kind: "resource-exhausted" });
    }
  });
});
