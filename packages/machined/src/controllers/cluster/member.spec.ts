import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Affiliate, Member } from "@talos-ts/machinery/resources/cluster";
import { memberController } from "./member.ts";

describe("memberController()", () => {
  it("T-25: publishes affiliates that have a node name, under that name", async () => {
    await using test = controllerTest({ register: [memberController()] });
    const facts = { nodeId: "a", addresses: ["10.5.0.2"], hostname: "cp.lan", machineType: "controlplane" } as const;
    const affiliate = createResource(Affiliate, "a", Affiliate.spec({ ...facts, nodename: "cp" }));
    await test.create(affiliate, createResource(Affiliate, "b", Affiliate.spec({ nodeId: "b" })));
    await test.assertSpec(Member, "cp", Member.spec(facts));
    await test.settled();
    await test.assertNoResource(Member, "");
    await test.remove(affiliate);
    await test.assertNoResource(Member, "cp");
  });
});
