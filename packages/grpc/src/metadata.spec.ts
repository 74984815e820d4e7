import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fieldsOf, type Field } from "@talos-ts/http2";
import { addMetadata, metadataOf } from "./internal/headers.ts";
import { Metadata } from "./metadata.ts";

describe("Metadata", () => {
  it("ignores the case of keys and keeps the order of values", () => {
    const metadata = new Metadata({ Nodes: ["a", "b"] }).append("NODES", "c");
    assert.equal(metadata.get("nodes"), "a");
    assert.deepEqual(metadata.getAll("nOdEs"), ["a", "b", "c"]);
    assert.equal(metadata.delete("Nodes"), true);
    assert.equal(metadata.has("nodes"), false);
  });

  it("copies instead of sharing", () => {
    const original = new Metadata([["a", "1"]]);
    original.clone().append("a", "2");
    assert.deepEqual([...original], [["a", "1"]]);
  });

  it("refuses what cannot travel in a header", () => {
    const metadata = new Metadata();
    const refusals: (() => unknown)[] = [
      () => metadata.set("a b", "x"),
      () => metadata.set("a", "line\nbreak"),
      () => metadata.append("a", "ü"),
      () => metadata.set("a-bin", "text"),
      () => metadata.set("a", Uint8Array.of(1)),
    ];
    for (const refuse of refusals) assert.throws(refuse, { code: "grpc/bad-metadata" });
  });

  it("survives the way through header fields, without the fields of the protocol", () => {
    const fields: Field[] = [];
    const metadata = new Metadata({
      a: ["1", "2"],
      "b-bin": [Uint8Array.of(0), Uint8Array.of(255, 254)],
      "grpc-timeout": "1S",
    });
    addMetadata(fields, metadata);
    assert.deepEqual(
      fields.map(({ name, value }) => [name, value]),
      [
        ["a", "1"],
        ["a", "2"],
        ["b-bin", "AA"],
        ["b-bin", "//4"],
      ],
    );
    const received = fieldsOf(
      [":path", "/x"],
      ["a", "1"],
      ["a", "2"],
      ["b-bin", "AA==, //4"],
      ["grpc-status", "0"],
      ["content-type", "application/grpc"],
      ["c", "\xfc"],
    );
    assert.deepEqual(
      [...metadataOf(received)],
      [
        ["a", "1"],
        ["a", "2"],
        ["b-bin", Uint8Array.of(0)],
        ["b-bin", Uint8Array.of(255, 254)],
      ],
    );
  });
});
