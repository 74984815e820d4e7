import { transformController, type Controller } from "@talos-ts/cosi";
import { TimeServerSpec, TimeServerStatus } from "@talos-ts/machinery/resources/network";

/** The time servers in effect. */
export function timeServerSpecController(): Controller {
  return transformController({
    name: "network.TimeServerSpecController",
    input: TimeServerSpec,
    output: TimeServerStatus,
    finalizers: true,
    transform({ spec }, { logger }) {
      logger.info("setting time servers", { addresses: spec.timeServers });
      return { timeServers: spec.timeServers };
    },
  });
}
