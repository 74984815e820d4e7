import type { Clock } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import { shared, type Controller } from "@talos-ts/cosi";
import { addressFlags, scope } from "@talos-ts/machinery/resources/enums";
import { AddressStatus } from "@talos-ts/machinery/resources/network";
import { addressId } from "./internal/resource-ids.ts";
import { kernelObserver } from "./internal/kernel-observer.ts";
import { linkNames } from "./internal/link-names.ts";

export const addressStatusName = "network.AddressStatusController";

/** Addresses of the kernel, as they are. */
export function addressStatusController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  const network = machine.linux.networks.here;
  return kernelObserver(machine, {
    name: addressStatusName,
    type: AddressStatus,
    output: shared(AddressStatus),
    groups: ["links", "addresses"],
    async observe() {
      const names = linkNames(await network.links());
      return (await network.addresses()).map((address) => {
        const linkName = names.get(address.linkIndex) ?? "";
        const spec = AddressStatus.spec({
          address: address.address,
          local: address.local ?? "",
          broadcast: address.broadcast ?? "",
          anycast: address.anycast ?? "",
          multicast: address.multicast ?? "",
          linkIndex: address.linkIndex,
          linkName,
          family: address.family,
          scope: scope.fromNumber(address.scope),
          flags: addressFlags.fromNumber(address.flags),
          priority: address.priority,
        });
        return [addressId(linkName, address.address), spec] as const;
      });
    },
  });
}
