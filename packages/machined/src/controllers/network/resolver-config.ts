import { createResource, reduceController, shared, weak, type Controller } from "@talos-ts/cosi";
import { resolversOf } from "@talos-ts/machinery/config";
import { HostnameStatus, ResolverSpec } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { configNamespace, layeredId } from "./internal/resource-ids.ts";

const defaultServers = ["1.1.1.1", "8.8.8.8"] as const;

/** DNS servers of the configuration, and those that are used when no source names any. */
export function resolverConfigController(): Controller {
  return reduceController({
    name: "network.ResolverConfigController",
    inputs: [activeConfigInput, weak(HostnameStatus, { id: HostnameStatus.id })],
    outputs: [shared(ResolverSpec, configNamespace)],
    async reduce(context) {
      const config = await activeConfig(context);
      const settings = config === undefined ? undefined : resolversOf(config);
      const domain = (await context.find(HostnameStatus, HostnameStatus.id))?.spec.domainname ?? "";
      const fallback = ResolverSpec.spec({
        dnsServers: defaultServers,
        searchDomains: settings?.disableSearchDomain === false && domain !== "" ? [domain] : [],
        layer: "default",
      });
      const { nameservers: dnsServers = [], searchDomains = [] } = settings ?? {};
      const configured =
        dnsServers.length === 0 && searchDomains.length === 0
          ? []
          : [ResolverSpec.spec({ dnsServers, searchDomains, layer: "configuration" })];
      return [fallback, ...configured].map((spec) =>
        createResource(ResolverSpec, layeredId(spec.layer, ResolverSpec.id), spec, { namespace: configNamespace }),
      );
    },
  });
}
