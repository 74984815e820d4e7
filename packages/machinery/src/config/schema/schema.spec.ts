import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { documentSchemas } from "../documents/index.ts";
import { formatByteSize, parseByteSize } from "./go-bytes.ts";
import { parseAddress, parsePrefix } from "./go-net.ts";
import { isPrefixOrAddress } from "@talos-ts/base/net";
import { parseGoUrl } from "./go-url.ts";
import { jsonSchema } from "./json-schema.ts";
import type { Json } from "./json.ts";
import { referencePages } from "./reference-pages.ts";

describe("jsonSchema()", () => {
  /** One line per property: definition, name, type, and whether it is required. */
  function signature(schema: { readonly $defs: Readonly<Record<string, Json>> }): readonly string[] {
    const lines = Object.entries(schema.$defs).flatMap(([name, definition]) => {
      const { properties = {}, required = [] } = definition as {
        readonly properties?: Readonly<Record<string, Json>>;
        readonly required?: readonly string[];
      };
      return Object.entries(properties).map(
        ([key, property]) => `${name} ${key}${required.includes(key) ? "!" : ""} ${JSON.stringify(sorted(property))}`,
      );
    });
    return lines.toSorted();
  }

  function sorted(json: Json): Json {
    if (Array.isArray(json)) return (json as readonly Json[]).map(sorted);
    if (typeof json !== "object" || json === null) return json;
    const entries = Object.entries(json as { readonly [key: string]: Json }).filter(
      ([key, value]) => !(key === "description" && typeof value === "string"),
    );
    return Object.fromEntries(
      entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, sorted(value)]),
    );
  }

  test("has the properties, types, enumerations and requirements of the published one", () => {
    const actual = signature(
      jsonSchema(documentSchemas(), "v1.13") as { readonly $defs: Readonly<Record<string, Json>> },
    );
    const text = readFileSync(new URL("./testdata/published-schema.txt", import.meta.url), "utf8");
    const published = text.trimEnd().split("\n");
    const definition = (line: string): string => line.split(" ", 1)[0] ?? "";
    const known = new Set(published.map(definition));
    // Documents of this project are definitions of their own.
    assert.deepEqual(
      actual.filter((line) => known.has(definition(line))),
      published,
    );
  });
});

describe("referencePages()", () => {
  const folder = new URL("../../../../../docs/reference/config/", import.meta.url);
  const pages = referencePages(documentSchemas(), (name) =>
    readFileSync(new URL(`../documents/testdata/${name}_min.yaml`, import.meta.url), "utf8"),
  );

  test("are the ones in docs/reference/config (`npm run generate` writes them)", () => {
    assert.deepEqual(readdirSync(folder).toSorted(), [...pages.keys()].toSorted());
    for (const [name, text] of pages) assert.equal(readFileSync(new URL(name, folder), "utf8"), text, name);
  });

  test("every field says in one sentence what it is for", () => {
    for (const schema of documentSchemas()) {
      assert.match(schema.type.doc, /^[A-Zk].*\.$/s, schema.kind);
      for (const [key, field] of Object.entries(schema.type.fields))
        assert.match(field.doc, /\.$/, `${schema.kind}.${key}`);
    }
  });
});

describe("parseByteSize()", () => {
  test("reads sizes and writes them exactly", () => {
    assert.deepEqual(["100GB", "1.5 GiB", "4096", "10 mb"].map(parseByteSize), [100e9, 1.5 * 2 ** 30, 4096, 10e6]);
    assert.deepEqual([100e9, 1234, 1_500_000_000, 0].map(formatByteSize), ["100 GB", 1234, "1.5 GB", 0]);
    for (const text of ["", "GB", "1 lightyear"]) assert.throws(() => parseByteSize(text), text);
  });
});

describe("parseAddress() and parsePrefix()", () => {
  test("bring addresses into one spelling", () => {
    assert.equal(parseAddress("FD00:0:0::1"), "fd00::1");
    assert.equal(parseAddress("fe80::1%eth0"), "fe80::1%eth0");
    assert.equal(parseAddress("::ffff:1.2.3.4"), "::ffff:1.2.3.4");
    assert.equal(parsePrefix("10.1.2.3/8"), "10.1.2.3/8");
    for (const text of ["1.2.3", "1.2.3.256", "01.2.3.4", "::g", "", "1.2.3.4%eth0"])
      assert.throws(() => parseAddress(text), text);
    for (const text of ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/08", "::/129", "a/8"])
      assert.throws(() => parsePrefix(text), text);
    assert.deepEqual(["10.0.0.1", "10.0.0.0/8", "x"].map(isPrefixOrAddress), [true, true, false]);
  });
});

describe("parseGoUrl()", () => {
  test("splits and refuses as Go does", () => {
    const { scheme, hostname, port, path } = parseGoUrl("https://user@[fd00::1]:6443/a?b#c");
    assert.deepEqual([scheme, hostname, port, path], ["https", "fd00::1", "6443", "/a"]);
    for (const text of [":a", "a:b/c\u0001", "http://a:x", "http://[::1", "1a:b", "http://a/%zz"])
      assert.throws(() => parseGoUrl(text), text);
  });
});
