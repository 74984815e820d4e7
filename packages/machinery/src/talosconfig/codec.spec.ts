import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { compareKeys } from "../yaml/key-order.ts";
import { decodeTalosconfig } from "./decode.ts";
import { encodeTalosconfig } from "./encode.ts";
import { emptyConfig, emptyContext } from "./model.ts";

const full = `context: "1e3"
contexts:
    "1e3":
        endpoints:
            - 10.5.0.2
            - '[fd00::2]:50000'
        nodes:
            - 10.5.0.3
        ca: Y2E=
        crt: Y3J0
        key: a2V5
        auth:
            basic:
                username: a
                password: b
            siderov1:
                identity: me@example.org
            later:
                a: 1
        cluster: demo
        colour: blue
    node-2:
        endpoints: []
    node-10:
        endpoints: []
version: 2
`;

describe("encodeTalosconfig()", () => {
  it("writes an empty config with both keys", () => {
    assert.equal(encodeTalosconfig(emptyConfig), 'context: ""\ncontexts: {}\n');
  });
  it("writes back what decodeTalosconfig() read, unknown fields included", () => {
    assert.equal(encodeTalosconfig(decodeTalosconfig(full)), full);
  });
  it("quotes names only where they need it, as Go's YAML does", () => {
    const names = ["<<", "yes", "1.5", "null", "*", "[a]", "it's", "plain name", "10.5.0.2"];
    const contexts = new Map([["a", { ...emptyContext, endpoints: names }]]);
    assert.deepEqual(
      [...encodeTalosconfig({ ...emptyConfig, contexts }).matchAll(/- (.*)/g)].map(([, text]) => text),
      ['"<<"', '"yes"', '"1.5"', '"null"', "'*'", "'[a]'", "it's", "plain name", "10.5.0.2"],
    );
  });
  it("leaves out what is not set", () => {
    const config = { ...emptyConfig, contexts: new Map([["a", emptyContext]]) };
    assert.equal(encodeTalosconfig(config), 'context: ""\ncontexts:\n    a:\n        endpoints: []\n');
  });
});

describe("decodeTalosconfig()", () => {
  it("reads the typed fields", () => {
    const config = decodeTalosconfig(full);
    assert.equal(config.context, "1e3");
    const context = config.contexts.get("1e3");
    assert.deepEqual(context?.endpoints, ["10.5.0.2", "[fd00::2]:50000"]);
    assert.deepEqual(context.auth.basic, { username: "a", password: "b" });
    assert.deepEqual(context.auth.siderov1, { identity: "me@example.org" });
    assert.deepEqual([...context.extra], [["colour", "blue"]]);
  });
  it("keeps names that look like numbers, and reads null as absent", () => {
    const config = decodeTalosconfig(
      "context: 0x10\ncontexts:\n  0x10:\n  1.50: {endpoints: ~, nodes: [1, 2.0], ca: null}\n",
    );
    assert.equal(config.context, "0x10");
    assert.deepEqual([...config.contexts.keys()], ["0x10", "1.50"]);
    assert.deepEqual(config.contexts.get("1.50")?.nodes, ["1", "2.0"]);
  });
  it("turns the retired target into an endpoint", () => {
    const config = decodeTalosconfig("contexts: {a: {target: 10.0.0.1}}");
    assert.deepEqual(config.contexts.get("a")?.endpoints, ["10.0.0.1"]);
    assert.ok(!encodeTalosconfig(config).includes("target"));
  });
  it("follows aliases", () => {
    const config = decodeTalosconfig("contexts:\n  a: &a {endpoints: &e [x]}\n  b: *a\n  c: {endpoints: *e}\n");
    assert.deepEqual(
      [...config.contexts.values()].map(({ endpoints }) => endpoints),
      [["x"], ["x"], ["x"]],
    );
  });
  it("is not confused by the names of object properties", () => {
    const config = decodeTalosconfig("context: __proto__\ncontexts: {__proto__: {endpoints: [x]}, constructor: {}}");
    assert.deepEqual(decodeTalosconfig(encodeTalosconfig(config)), config);
    assert.deepEqual(config.contexts.get("__proto__")?.endpoints, ["x"]);
  });
  it("reads an empty text as an empty config", () => {
    for (const text of ["", "# nothing\n", "---\n", "{}"]) assert.deepEqual(decodeTalosconfig(text), emptyConfig);
  });
  it("refuses other shapes, naming the place", () => {
    const refused = {
      "- a": "the file to be a mapping",
      "contexts: [a]": "contexts to be a mapping",
      "contexts: {a: 1}": "contexts.a to be a mapping",
      "contexts: {a: {endpoints: x}}": "contexts.a.endpoints to be a list",
      "contexts: {a: {endpoints: [[]]}}": "contexts.a.endpoints to be text",
      "contexts: {a: {auth: {basic: {username: []}}}}": "contexts.a.auth.username to be text",
    };
    for (const [text, message] of Object.entries(refused)) {
      assert.throws(() => decodeTalosconfig(text, "file"), {
        code: "talosconfig/bad-yaml",
        message: `Cannot read file: expected ${message}`,
      });
    }
    for (const text of ["a: [", "a: 1\na: 2", "a: *b", "context: *b"]) {
      assert.throws(() => decodeTalosconfig(text), { code: "talosconfig/bad-yaml" });
    }
  });
  it("answers any mangled text with a config or a coded error", () => {
    let state = 1;
    const below = (limit: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % limit;
    };
    const noise = ["{", "]", ": ", "\n", "*a", "&a ", "- ", "!!map ", "<<: ", "'", "\u0000", "? "];
    for (let round = 0; round < 1000; round += 1) {
      const at = below(full.length);
      const text = full.slice(0, at) + (noise[below(noise.length)] ?? "") + full.slice(at + below(12));
      try {
        encodeTalosconfig(decodeTalosconfig(text));
      } catch (err) {
        assert.ok(err instanceof OsError && err.code === "talosconfig/bad-yaml", String(err));
      }
    }
  });
});

describe("compareKeys()", () => {
  it("orders names as Go's YAML does", () => {
    const ordered = [
      "",
      "-",
      "1",
      "01",
      "2",
      "10",
      "A",
      "B",
      "a",
      "a-1",
      "a1",
      "a2",
      "a2b",
      "a10",
      "a10-",
      "a100",
      "ab",
    ];
    assert.deepEqual(ordered.toReversed().toSorted(compareKeys), ordered);
  });
});
