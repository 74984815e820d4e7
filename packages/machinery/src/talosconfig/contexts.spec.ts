import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addContext, matchContexts, removeContexts, setEndpoints, setNodes, useContext } from "./edit.ts";
import { formatRename, mergeTalosconfig } from "./merge.ts";
import { emptyConfig, emptyContext, type TalosConfig } from "./model.ts";
import { resolveContext, resolveEndpoints } from "./resolve.ts";

const configOf = (context: string, ...names: readonly string[]): TalosConfig => ({
  ...emptyConfig,
  context,
  contexts: new Map(names.map((name) => [name, { ...emptyContext, cluster: name }])),
});
const summary = (config: TalosConfig): string =>
  `${config.context}: ${[...config.contexts].map(([name, { cluster }]) => `${name}=${cluster}`).join(" ")}`;

describe("resolveContext() (T-08)", () => {
  const cases: readonly (readonly [TalosConfig, string | undefined, string, string])[] = [
    [configOf(""), undefined, "talosconfig/empty", "talos config file is empty"],
    [configOf("x"), undefined, "talosconfig/no-default-context", 'default context "x" not found in config'],
    [configOf("", "a"), undefined, "talosconfig/no-default-context", 'default context "" not found in config'],
    [configOf("a", "a"), "x", "talosconfig/no-such-context", 'context "x" not found in config'],
    [configOf("a", "a"), "", "talosconfig/no-such-context", 'context "" not found in config'],
  ];
  for (const [config, override, code, message] of cases) {
    it(`says: ${message}`, () => assert.throws(() => resolveContext(config, override), { code, message }));
  }
  it("prefers the context named", () => {
    assert.equal(resolveContext(configOf("a", "a", "b")).cluster, "a");
    assert.equal(resolveContext(configOf("a", "a", "b"), "b").cluster, "b");
  });
});

describe("resolveEndpoints() (T-08)", () => {
  it("prefers those given over those of the context", () => {
    const context = { endpoints: ["a"] };
    assert.deepEqual(resolveEndpoints(context), ["a"]);
    assert.deepEqual(resolveEndpoints(context, ["b"]), ["b"]);
    assert.deepEqual(resolveEndpoints(undefined, ["b"]), ["b"]);
  });
  it("says: failed to determine endpoints", () => {
    assert.throws(() => resolveEndpoints(emptyContext), { message: "failed to determine endpoints" });
  });
});

describe("editing a talosconfig", () => {
  it("setEndpoints() and setNodes() change the current or the named context", () => {
    const config = configOf("a", "a", "b");
    assert.deepEqual(setEndpoints(config, [" x ", "y"]).contexts.get("a")?.endpoints, ["x", "y"]);
    assert.deepEqual(setNodes(config, ["z"], "b").contexts.get("b")?.nodes, ["z"]);
    assert.deepEqual(config, configOf("a", "a", "b"));
    assert.throws(() => setNodes(configOf(""), []), { message: "no context is set" });
    assert.throws(() => setNodes(configOf("x"), []), { message: 'context "x" is not defined' });
  });
  it("useContext() accepts only a context that exists", () => {
    assert.equal(useContext(configOf("a", "a", "b"), "b").context, "b");
    assert.throws(() => useContext(configOf("a", "a"), "b"), { message: 'context "b" is not defined' });
  });
  it("addContext() keeps the default context", () => {
    assert.equal(summary(addContext(configOf("a", "a"), "b", emptyContext)), "a: a=a b=");
  });
  it("matchContexts() takes stars", () => {
    const config = configOf("", "prod.1", "prod-2", "test");
    assert.deepEqual(matchContexts(config, "prod*"), ["prod-2", "prod.1"]);
    assert.deepEqual(matchContexts(config, "*.1"), ["prod.1"]);
    assert.throws(() => matchContexts(config, "x*"), { message: 'no contexts matched "x*"' });
    assert.throws(() => matchContexts(config, ""), { message: "no context specified" });
    assert.throws(() => matchContexts(emptyConfig, "*"), { message: "no contexts defined" });
  });
  it("removeContexts() never removes the current one", () => {
    assert.equal(summary(removeContexts(configOf("a", "a", "b", "c"), ["a", "b"])), "a: a=a c=c");
  });
});

describe("mergeTalosconfig()", () => {
  const merge = (into: TalosConfig, from: TalosConfig): string => {
    const { config, renames } = mergeTalosconfig(into, from);
    return [summary(config), ...renames.map(formatRename)].join(", ");
  };
  it("takes over contexts and the default", () => {
    assert.equal(merge(emptyConfig, configOf("a", "a")), "a: a=a");
    assert.equal(merge(configOf("b", "b"), configOf("", "a")), "b: b=b a=a");
  });
  it("renames what is taken, also among the new ones", () => {
    assert.equal(merge(configOf("a", "a"), configOf("a", "a")), 'a-1: a=a a-1=a, "a" -> "a-1"');
    assert.equal(
      merge(configOf("a", "a", "a-1"), configOf("a-1", "a-1", "a")),
      'a-1-1: a=a a-1=a-1 a-2=a a-1-1=a-1, "a" -> "a-2", "a-1" -> "a-1-1"',
    );
  });
  it("keeps the default when the other names a context it does not have", () => {
    assert.equal(merge(configOf("b", "b"), configOf("x", "a")), "b: b=b a=a");
  });
});
