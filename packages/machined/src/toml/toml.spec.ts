import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { mergeToml } from "./merge.ts";
import { parseToml } from "./parse.ts";
import { renderToml } from "./render.ts";

const document = `
version = 2 # comment
title = "a \\"b\\" \\u00e9"
path = 'C:\\temp'
hex = 0xff
big = 9223372036854775807
ratio = -1.5e3
long = """
one \\
   two"""
list = [
  "x", # first
  "y",
]
inline = { a = 1, b.c = true }

[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "pause"
[plugins."io.containerd.grpc.v1.cri".registry]
config_path = "/etc"

[[points]]
x = 1
[[points]]
x = 2
[points.inner]
y = 3
`;

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item)));

describe("parseToml()", () => {
  it("reads every form of value, key and table", () => {
    assert.deepEqual(plain(parseToml(document)), {
      version: 2,
      title: 'a "b" é',
      path: "C:\\temp",
      hex: 255,
      big: "9223372036854775807",
      ratio: -1500,
      long: "one two",
      list: ["x", "y"],
      inline: { a: 1, b: { c: true } },
      plugins: { "io.containerd.grpc.v1.cri": { sandbox_image: "pause", registry: { config_path: "/etc" } } },
      points: [{ x: 1 }, { x: 2, inner: { y: 3 } }],
    });
  });
  it("says on which line it stopped, and why", () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ["a = 1\na = 2\n", /line 2: "a" is there twice/],
      ["a = \n", /line 1: .* is no value/],
      ["a = 2020-01-01\n", /is no value/],
      ['a = "x\n', /does not end on its line/],
      ["[a\n", /expected "\]"/],
      ["a = 1 b = 2\n", /expected the end of the line/],
      ["a = 1\n[a]\n", /"a" is no table/],
      ['a = "\\q"\n', /unknown escape/],
    ];
    for (const [text, message] of cases) assert.throws(() => parseToml(text), { code: "toml/malformed", message });
  });
  it("never does worse than refuse", () => {
    for (let cut = 0; cut < document.length; cut++) {
      for (const text of [
        document.slice(0, cut),
        document.slice(cut),
        document.slice(0, cut) + "]" + document.slice(cut),
      ]) {
        try {
          parseToml(text);
        } catch (err) {
          assert.ok(err instanceof OsError, String(err));
        }
      }
    }
  });
  it("takes no key for more than a key", () => {
    parseToml("[__proto__]\npolluted = true\n");
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    mergeToml({}, parseToml("[__proto__]\npolluted = true\n"));
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });
});

describe("renderToml()", () => {
  it("writes what parseToml() reads back", () => {
    const once = parseToml(document);
    assert.deepEqual(plain(parseToml(renderToml(once))), plain(once));
  });
});

describe("mergeToml()", () => {
  it("joins tables, lengthens lists and replaces the rest", () => {
    const merged = mergeToml(parseToml("a = 1\nl = [1]\n[t]\nx = 1\n"), parseToml("a = 2\nl = [2]\n[t]\ny = 2\n"));
    assert.deepEqual(plain(merged), { a: 2, l: [1, 2], t: { x: 1, y: 2 } });
  });
});
