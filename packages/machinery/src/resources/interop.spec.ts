import { parse } from "yaml";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { resourceTypes } from "./resource-types.ts";

interface Vector {
  readonly type: string;
  /** Base64 of the protobuf spec a Talos v1.13 node sends. */
  readonly proto: string;
  /** The YAML the same node sends with it. */
  readonly yaml: string;
}

const vectors = readFileSync(new URL("testdata/interop.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Vector);

const byType = new Map(resourceTypes.map((resource) => [resource.type, resource]));

for (const { type, proto, yaml } of vectors) {
  test(`${type} prints what a Talos node prints`, () => {
    const resource = byType.get(type);
    assert.ok(resource);
    const plain = resource.codec.toPlain(resource.codec.decode(Buffer.from(proto, "base64")));
    assert.deepEqual(plain, parse(yaml));
    assert.equal(JSON.stringify(plain), JSON.stringify(parse(yaml)), "order of keys");
  });
}
