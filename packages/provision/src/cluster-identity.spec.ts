import assert from "node:assert/strict";
import { test } from "node:test";
import { identifyCluster } from "./cluster-identity.ts";

test("identifyCluster gives clusters of one name under two homes different names on the host", () => {
  const [left, right] = [identifyCluster("/home/a/x"), identifyCluster("/home/b/x")];
  for (const key of ["bridge", "linkPrefix", "runtimeDirectory", "cgroup"] as const) {
    assert.notEqual(left[key], right[key], key);
  }
});

test("identifyCluster keeps bridges and cables apart", () => {
  const { bridge, linkPrefix } = identifyCluster("/home/a/x");
  assert.equal(bridge.startsWith(linkPrefix), false);
});
