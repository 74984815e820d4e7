import {
  exclusive,
  kindOf,
  reconcileController,
  SkipReconcile,
  weak,
  type Controller,
  type ControllerContext,
} from "@talos-ts/cosi";
import { scope, type AddressSortAlgorithm } from "@talos-ts/machinery/resources/enums";
import {
  AddressStatus,
  LinkStatus,
  NodeAddress,
  NodeAddressFilter,
  NodeAddressSortAlgorithm,
} from "@talos-ts/machinery/resources/network";
import { addressOf, isSideroLink } from "@talos-ts/base/net";
import { addressStatusName } from "./address-status.ts";
import { externalLink } from "./internal/resource-ids.ts";
import { isPhysical } from "./link-status.ts";
import { comparePrefixes, filterPrefixes, isNodeAddress } from "./internal/prefixes.ts";

interface Sets {
  /** The first address of the first link. */
  readonly first: string | undefined;
  readonly current: readonly string[];
  readonly routed: readonly string[];
  readonly all: readonly string[];
}

/**
 * Addresses of the node under several points of view:
 *
 * - `default`: one address, kept as long as the node has it.
 * - `current`: what is on links that are up, and what the platform sees from outside.
 * - `routed`: `current` without what is not on a link of the node, or is on a management tunnel.
 * - `accumulative`: all that ever were, so that certificates stay valid for them.
 *
 * All but `default` also exist filtered, as in `current-no-k8s`.
 */
export function nodeAddressController(): Controller {
  return reconcileController({
    name: "network.NodeAddressController",
    inputs: [weak(AddressStatus), weak(LinkStatus), weak(NodeAddressFilter), weak(NodeAddressSortAlgorithm)],
    outputs: [exclusive(NodeAddress)],
    cleanup: [kindOf(NodeAddress)],
    async reconcile(context) {
      const sorting = await context.find(NodeAddressSortAlgorithm, NodeAddressSortAlgorithm.id);
      const algorithm = sorting?.spec.algorithm;
      if (algorithm === undefined) throw new SkipReconcile("the order of addresses is not known yet");
      const { first, current, routed, all } = await collect(context, algorithm);

      const put = async (id: string, addresses: readonly string[]): Promise<void> => {
        await context.put(NodeAddress, id, () => ({ addresses, sortAlgorithm: algorithm }));
      };
      const accumulate = async (id: string, addresses: readonly string[]): Promise<void> => {
        await context.put(NodeAddress, id, (stored) => ({
          addresses: [...new Set([...(stored?.addresses ?? []), ...addresses])].sort(comparePrefixes(algorithm)),
          sortAlgorithm: algorithm,
        }));
      };

      if (first !== undefined) {
        await context.put(NodeAddress, NodeAddress.ids.default, (stored) => {
          const kept = stored?.sortAlgorithm === algorithm && current.includes(stored.addresses[0] ?? "");
          return kept ? stored : { addresses: [first], sortAlgorithm: algorithm };
        });
      }
      await put(NodeAddress.ids.current, current);
      await put(NodeAddress.ids.routed, routed);
      await accumulate(NodeAddress.ids.accumulative, all);
      for (const { metadata, spec } of await context.list(NodeAddressFilter)) {
        const filtered = (addresses: readonly string[]): readonly string[] =>
          filterPrefixes(addresses, spec.includeSubnets, spec.excludeSubnets);
        await put(filteredId(NodeAddress.ids.current, metadata.id), filtered(current));
        await put(filteredId(NodeAddress.ids.routed, metadata.id), filtered(routed));
        await accumulate(filteredId(NodeAddress.ids.accumulative, metadata.id), filtered(all));
      }
    },
  });
}

function filteredId(id: string, filter: string): string {
  return `${id}-${filter}`;
}

async function collect(context: ControllerContext, algorithm: AddressSortAlgorithm): Promise<Sets> {
  const compare = comparePrefixes(algorithm);
  const up = new Set(
    (await context.list(LinkStatus))
      .filter(({ spec }) => ["up", "unknown"].includes(spec.operationalState) && (!isPhysical(spec) || spec.linkState))
      .map(({ spec }) => spec.index),
  );
  const usable = (await context.list(AddressStatus))
    .filter(({ spec }) => scope.toNumber(spec.scope) < scope.toNumber("link") && isNodeAddress(spec.address))
    .toSorted((a, b) => compareNames(a.spec.linkName, b.spec.linkName) || compare(a.spec.address, b.spec.address));
  const sorted = (list: typeof usable): readonly string[] =>
    [...new Set(list.map(({ spec }) => spec.address))].sort(compare);
  const onLink = usable.filter(({ spec }) => up.has(spec.linkIndex) && spec.linkName !== externalLink);
  const external = usable.filter(({ spec }) => spec.linkName === externalLink);
  return {
    first: usable.find(({ metadata }) => metadata.owner === addressStatusName)?.spec.address,
    current: sorted([...onLink, ...external]),
    routed: sorted(onLink.filter(({ spec }) => !isSideroLink(addressOf(spec.address)))),
    all: sorted(usable),
  };
}

function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
