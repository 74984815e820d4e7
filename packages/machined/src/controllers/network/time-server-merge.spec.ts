import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { TimeServerSpec } from "@talos-ts/machinery/resources/network";
import { configNamespace } from "./internal/resource-ids.ts";
import { timeServerMergeController } from "./time-server-merge.ts";

const from = (id: string, spec: Parameters<typeof TimeServerSpec.spec>[0]) =>
  createResource(TimeServerSpec, id, TimeServerSpec.spec(spec), { namespace: configNamespace });

describe("timeServerMergeController()", () => {
  it("adds up servers of the highest layer that has any", async () => {
    await using kit = controllerTest({ register: [timeServerMergeController()] });
    await kit.create(
      from("default/timeservers", { timeServers: ["a"], layer: "default" }),
      from("operator/eth0", { timeServers: ["b"], layer: "operator" }),
      from("operator/eth1", { timeServers: ["c"], layer: "operator" }),
      from("configuration/timeservers", { timeServers: [], layer: "configuration" }),
    );
    await kit.assertSpec(TimeServerSpec, "timeservers", { timeServers: ["b", "c"], layer: "operator" });
  });
});
