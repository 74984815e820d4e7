import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { Affiliate, Member } from "@talos-ts/machinery/resources/cluster";

/** Affiliates that are nodes of Kubernetes, by their node name. */
export function memberController(): Controller {
  return reduceController({
    name: "cluster.MemberController",
    inputs: [weak(Affiliate)],
    outputs: [exclusive(Member)],
    async reduce(context) {
      const affiliates = await context.list(Affiliate);
      return affiliates
        .filter(({ metadata, spec }) => metadata.phase === "running" && spec.nodename !== "")
        .map(({ spec: { nodename, nodeId, addresses, hostname, machineType, operatingSystem, controlPlane } }) =>
          createResource(
            Member,
            nodename,
            Member.spec({ nodeId, addresses, hostname, machineType, operatingSystem, controlPlane }),
          ),
        );
    },
  });
}
