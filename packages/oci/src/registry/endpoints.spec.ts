import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseReference } from "../reference.ts";
import { endpointsOf } from "./endpoints.ts";
import { noRegistrySettings } from "./settings.ts";

const bases = (name: string, mirrors: Parameters<typeof endpointsOf>[1]["mirrors"] = {}): readonly string[] =>
  endpointsOf(parseReference(name), { ...noRegistrySettings, mirrors }).map(({ base, namespace }) =>
    namespace === undefined ? base : `${base} for ${namespace}`,
  );
const mirror = (skipFallback: boolean, ...endpoints: readonly [string, boolean][]) => ({
  skipFallback,
  endpoints: endpoints.map(([endpoint, overridePath]) => ({ endpoint, overridePath })),
});

describe("endpointsOf()", () => {
  it("is the registry itself without mirrors, with TLS unless it is on this machine", () => {
    assert.deepEqual(bases("busybox"), ["https://registry-1.docker.io/v2"]);
    assert.deepEqual(bases("reg.test:5000/a"), ["https://reg.test:5000/v2"]);
    assert.deepEqual(bases("localhost:5000/a"), ["http://localhost:5000/v2"]);
    assert.deepEqual(bases("127.0.0.1:5000/a"), ["http://127.0.0.1:5000/v2"]);
  });
  it("asks mirrors first, with their path or instead of the usual one", () => {
    const mirrors = {
      "reg.test": mirror(false, ["http://m:5000", false], ["https://n/proxy", false], ["https://o/v2/p/", true]),
    };
    assert.deepEqual(bases("reg.test/a", mirrors), [
      "http://m:5000/v2 for reg.test",
      "https://n/proxy/v2 for reg.test",
      "https://o/v2/p for reg.test",
      "https://reg.test/v2",
    ]);
  });
  it("uses the mirrors of every registry only where there are none of its own, and no fallback if told so", () => {
    const mirrors = { "*": mirror(true, ["http://all", false]), "reg.test": mirror(true, ["http://own", false]) };
    assert.deepEqual(bases("reg.test/a", mirrors), ["http://own/v2 for reg.test"]);
    assert.deepEqual(bases("other.test/a", mirrors), ["http://all/v2 for other.test"]);
  });
});
