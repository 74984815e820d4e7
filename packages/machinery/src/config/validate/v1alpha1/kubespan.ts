import type { MainConfig } from "../../documents/v1alpha1/config.ts";
import { isPrefix, isPrefixOrAddress } from "@talos-ts/base/net";
import type { Check } from "../check.ts";
import { quote, withoutExclusion } from "../rules.ts";

/** The smallest MTU that still carries IPv6. */
const kubeSpanMinimumMtu = 1280;

/** `machine.network.kubespan`; the KubeSpanConfig document has its own rules. */
export function validateKubeSpan({ machine, cluster }: MainConfig, check: Check): void {
  const kubespan = machine?.network?.kubespan;
  if (kubespan?.enabled !== true) return;
  const path = ["machine", "network", "kubespan"];
  if ((kubespan.mtu || 1420) < kubeSpanMinimumMtu) {
    check.error([...path, "mtu"], `kubespan link MTU must be at least ${kubeSpanMinimumMtu}`);
  }
  const needed = [
    [cluster?.discovery?.enabled === true, ".cluster.discovery should be enabled"],
    [cluster?.id !== undefined, ".cluster.id should be set"],
    [cluster?.secret !== undefined, ".cluster.secret should be set"],
  ] as const;
  for (const [given, what] of needed) {
    if (!given) check.error(path, `${what} when .machine.network.kubespan is enabled`);
  }
  for (const [index, network] of (kubespan.filters?.endpoints ?? []).entries()) {
    const plain = withoutExclusion(network);
    if (!isPrefixOrAddress(plain)) {
      check.error([...path, "filters", "endpoints", index], `KubeSpan endpoint filter is not valid: ${quote(plain)}`);
    }
  }
  for (const [index, network] of (kubespan.filters?.excludeAdvertisedNetworks ?? []).entries()) {
    if (!isPrefix(network)) {
      check.error(
        [...path, "filters", "excludeAdvertisedNetworks", index],
        `KubeSpan exclude advertised networks filter is not valid: ${quote(network)}`,
      );
    }
  }
}
