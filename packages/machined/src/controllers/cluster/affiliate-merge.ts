import { mergeController, type Controller } from "@talos-ts/cosi";
import { Affiliate, type AffiliateSpec } from "@talos-ts/machinery/resources/cluster";

/** Publishes what several registries say about one node, as one affiliate. */
export function affiliateMergeController(): Controller {
  return mergeController({
    name: "cluster.AffiliateMergeController",
    type: Affiliate,
    from: "cluster-raw",
    merge(affiliates) {
      const merged = new Map<string, AffiliateSpec>();
      for (const { spec } of affiliates) {
        const known = merged.get(spec.nodeId);
        merged.set(spec.nodeId, known === undefined ? spec : mergeAffiliates(known, spec));
      }
      return merged;
    },
  });
}

/** Lists are joined; of single facts the later source wins if it says anything. */
function mergeAffiliates(first: AffiliateSpec, second: AffiliateSpec): AffiliateSpec {
  const { kubespan } = first;
  const other = second.kubespan;
  return {
    ...first,
    addresses: union(first.addresses, second.addresses),
    hostname: second.hostname || first.hostname,
    nodename: second.nodename || first.nodename,
    machineType: second.machineType === "unknown" ? first.machineType : second.machineType,
    controlPlane: second.controlPlane ?? first.controlPlane,
    kubespan: {
      publicKey: other.publicKey || kubespan.publicKey,
      address: other.address || kubespan.address,
      additionalAddresses: union(kubespan.additionalAddresses, other.additionalAddresses),
      endpoints: union(kubespan.endpoints, other.endpoints),
      excludeAdvertisedNetworks: union(kubespan.excludeAdvertisedNetworks, other.excludeAdvertisedNetworks),
    },
  };
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])];
}
