import { transformController, type Controller } from "@talos-ts/cosi";
import { ResolverSpec, ResolverStatus } from "@talos-ts/machinery/resources/network";

/** The DNS servers in effect: who renders files or asks servers reads the status. */
export function resolverSpecController(): Controller {
  return transformController({
    name: "network.ResolverSpecController",
    input: ResolverSpec,
    output: ResolverStatus,
    finalizers: true,
    transform({ spec }, { logger }) {
      const { dnsServers, searchDomains } = spec;
      logger.info("setting resolvers", { resolvers: dnsServers, searchDomains });
      return { dnsServers, searchDomains };
    },
  });
}
