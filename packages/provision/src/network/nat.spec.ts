import assert from "node:assert/strict";
import { test } from "node:test";
import { planCluster } from "../cluster-plan.ts";
import { natRules } from "./nat.ts";

test("natRules hide the subnet behind the host, but not between nodes", () => {
  const plan = planCluster({ name: "a", subnet: "10.6.0.0/24" }, "/clusters");
  const { bridge } = plan;
  assert.match(natRules(plan), new RegExp(`ip saddr 10\\.6\\.0\\.0/24 oifname != "${bridge}" masquerade`));
  assert.match(natRules(plan), new RegExp(`^table ip ${bridge} {`));
});
