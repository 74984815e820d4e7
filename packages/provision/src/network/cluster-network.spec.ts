import assert from "node:assert/strict";
import { test } from "node:test";
import { overlaps } from "./cluster-network.ts";
import { planCluster } from "../cluster-plan.ts";
import { natRules } from "./nat.ts";

test("overlaps sees shared addresses whichever network is larger", () => {
  assert.equal(overlaps("10.5.0.1/24", "10.5.0.0/24"), true);
  assert.equal(overlaps("10.5.0.1/8", "10.5.0.0/24"), true);
  assert.equal(overlaps("10.5.0.0/24", "10.5.0.77/32"), true);
  assert.equal(overlaps("10.5.1.1/24", "10.5.0.0/24"), false);
  assert.equal(overlaps("0.0.0.0/0", "10.5.0.0/24"), true);
});

test("natRules hide the subnet behind the host, but not between nodes", () => {
  const plan = planCluster({ name: "a", subnet: "10.6.0.0/24" }, "/clusters");
  const { bridge } = plan;
  assert.match(natRules(plan), new RegExp(`ip saddr 10\\.6\\.0\\.0/24 oifname != "${bridge}" masquerade`));
  assert.match(natRules(plan), new RegExp(`^table ip ${bridge} {`));
});
