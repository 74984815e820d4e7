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

test("natRules lead exposed ports to the first control plane node, from outside and from the host itself", () => {
  const exposedPorts = [{ hostPort: 8080, nodePort: 80, protocol: "tcp" as const }];
  const request = { name: "a", subnet: "10.6.0.0/24", controlPlanes: 2, exposedPorts };
  const rules = natRules(planCluster(request, "/clusters"));
  for (const hook of ["prerouting", "output"]) {
    const chain = rules.slice(rules.indexOf(`chain ${hook} {`)).split("}")[0] ?? "";
    assert.ok(chain.includes(`type nat hook ${hook} priority dstnat;`), chain);
    assert.ok(chain.includes("fib daddr type local tcp dport 8080 dnat to 10.6.0.2:80"), chain);
  }
  assert.match(rules, /oifname "[^"]+" ct status dnat accept/);
  const bound = natRules(planCluster({ ...request, hostIp: "192.0.2.1" }, "/clusters"));
  assert.ok(bound.includes("ip daddr 192.0.2.1 tcp dport 8080 dnat to 10.6.0.2:80"), bound);
  assert.doesNotMatch(natRules(planCluster({ name: "a" }, "/clusters")), /dnat/);
});
