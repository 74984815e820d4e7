import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { OperatorSpec } from "@talos-ts/machinery/resources/network";
import { configNamespace } from "./internal/resource-ids.ts";
import { operatorMergeController } from "./operator-merge.ts";

const from = (id: string, spec: Parameters<typeof OperatorSpec.spec>[0]) =>
  createResource(OperatorSpec, id, OperatorSpec.spec(spec), { namespace: configNamespace });

describe("operatorMergeController()", () => {
  it("takes the highest layer per operator and link, and keeps virtual addresses apart", async () => {
    await using kit = controllerTest({ register: [operatorMergeController()] });
    const vip = (ip: string) => ({ ...OperatorSpec.spec().vip, ip });
    const configured = from("configuration/dhcp4/eth0", {
      operator: "dhcp4",
      linkName: "eth0",
      requireUp: true,
      layer: "configuration",
    });
    await kit.create(
      from("default/dhcp4/eth0", { operator: "dhcp4", linkName: "eth0", layer: "default" }),
      configured,
      from("configuration/vip/1", { operator: "vip", linkName: "eth0", vip: vip("10.5.0.9"), layer: "configuration" }),
      from("configuration/vip/2", { operator: "vip", linkName: "eth0", vip: vip("10.5.0.8"), layer: "configuration" }),
    );
    await kit.assertSpec(OperatorSpec, "dhcp4/eth0", configured.spec);
    await kit.assertResource(OperatorSpec, "vip/eth0/10.5.0.8");
    await kit.assertResource(OperatorSpec, "vip/eth0/10.5.0.9");
  });
});
