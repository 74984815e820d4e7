import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock, type Clock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import type { Linux } from "@talos-ts/linux";
import { NetworkProblem, RoutingRuleSpec, RoutingRuleStatus } from "@talos-ts/machinery/resources/network";
import { testMachine } from "../internal/testing.ts";
import { routingRuleSpecController } from "./routing-rule-spec.ts";
import { routingRuleStatusController } from "./routing-rule-status.ts";
import { cannotOwnNetwork, createOwnNetwork } from "./testing/own-network.ts";

async function story(machine: { readonly linux: Linux; readonly clock: Clock }): Promise<void> {
  const network = machine.linux.networks.here;
  const register = [routingRuleSpecController(machine), routingRuleStatusController(machine)];
  await using kit = controllerTest({ register });
  await network.addRule({ family: "inet4", priority: 999, source: "10.99.0.0/16", table: 99 });
  const rule = createResource(
    RoutingRuleSpec,
    "inet4/01000",
    RoutingRuleSpec.spec({
      family: "inet4",
      src: "10.0.0.0/8",
      table: "100",
      priority: 1000,
      action: "unicast",
      fwMark: 3,
    }),
  );
  await kit.create(rule);
  await kit.assertResource(RoutingRuleStatus, "inet4/01000", ({ spec }) =>
    assert.partialDeepStrictEqual(spec, { src: "10.0.0.0/8", table: "100", fwMark: 3 }),
  );
  await kit.update(RoutingRuleSpec, "inet4/01000", (spec) => ({ ...spec, table: "200" as const }));
  await kit.assertResource(RoutingRuleStatus, "inet4/01000", ({ spec }) => assert.equal(spec.table, "200"));
  assert.equal((await network.rules()).filter(({ priority }) => priority === 1000).length, 1);
  await kit.remove(rule);
  await kit.assertNoResource(RoutingRuleStatus, "inet4/01000");
  await kit.assertResource(RoutingRuleStatus, "inet4/00999");
}

describe("routingRuleSpecController()", () => {
  it("adds, changes and removes rules, and leaves those of others alone", () => story(testMachine()));
  it("does so in the kernel", { skip: cannotOwnNetwork }, async () => {
    await using own = await createOwnNetwork();
    await story({ linux: own.linux, clock: systemClock });
  });
  it("tells of a rule that the kernel refuses, and applies the others", { skip: cannotOwnNetwork }, async () => {
    await using own = await createOwnNetwork();
    const machine = { linux: own.linux, clock: systemClock };
    const register = [routingRuleSpecController(machine), routingRuleStatusController(machine)];
    await using kit = controllerTest({ register });
    const spec = (priority: number, src: string) =>
      createResource(
        RoutingRuleSpec,
        `inet4/${String(priority)}`,
        RoutingRuleSpec.spec({ family: "inet4", src, table: "100", priority, action: "unicast" }),
      );
    // The source of an IPv4 rule cannot be an IPv6 network.
    await kit.create(spec(10_000, "fd00::/64"), spec(10_001, "10.0.0.0/8"));
    await kit.assertResource(RoutingRuleStatus, "inet4/10001");
    await kit.assertResource(NetworkProblem, "routing rule/inet4/10000", (problem) =>
      assert.equal(problem.spec.subject, "routing rule inet4/10000"),
    );
  });
});
