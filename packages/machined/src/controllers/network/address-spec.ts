import { describeError, type Clock } from "@talos-ts/base";
import { addressOf, broadcastAddress } from "@talos-ts/base/net";
import type { Controller, Logger } from "@talos-ts/cosi";
import { hasErrno, type Address, type Linux } from "@talos-ts/linux";
import { addressFlags, scope } from "@talos-ts/machinery/resources/enums";
import { AddressSpec, type AddressSpecSpec } from "@talos-ts/machinery/resources/network";
import { kernelApplier } from "./internal/kernel-applier.ts";
import { findLink } from "./internal/link-names.ts";

/** Flags that are ours to set; the kernel sets and clears the others as it likes. */
const managedFlags = addressFlags.toNumber(["homeaddress", "permanent", "mngmtmpaddr", "noprefixroute", "mcautojoin"]);

/** Puts addresses on links. An address whose link does not exist waits for it. */
export function addressSpecController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  const network = machine.linux.networks.here;

  async function present(spec: AddressSpecSpec, linkIndex: number): Promise<Address | undefined> {
    const addresses = await network.addresses();
    return addresses.find((other) => other.linkIndex === linkIndex && other.address === spec.address);
  }

  /** The address is there all the same when nobody was told: neighbours forget where it was before in a minute. */
  async function announce(linkIndex: number, prefix: string, logger: Logger): Promise<void> {
    await network.announceAddress(linkIndex, addressOf(prefix)).catch((err: unknown) => {
      logger.warn("cannot announce the address", { address: prefix, error: describeError(err) });
    });
  }

  return kernelApplier(machine, {
    name: "network.AddressSpecController",
    type: AddressSpec,
    noun: "address",
    groups: ["links", "addresses"],
    async apply(spec, links, { logger }) {
      const linkIndex = findLink(links, spec.linkName)?.index;
      if (linkIndex === undefined) return;
      const wanted = {
        address: spec.address,
        linkIndex,
        scope: scope.toNumber(spec.scope),
        flags: addressFlags.toNumber(spec.flags) & managedFlags,
        priority: spec.priority,
        ...broadcastOf(spec.address),
      };
      const current = await present(spec, linkIndex);
      if (current !== undefined) {
        const flags = current.flags & managedFlags;
        if (current.scope === wanted.scope && flags === wanted.flags && current.priority === wanted.priority) return;
        await network.deleteAddress({ address: spec.address, linkIndex });
        logger.info("removed address", { address: spec.address, link: spec.linkName });
      }
      try {
        await network.addAddress(wanted);
      } catch (err) {
        if (!hasErrno(err, "EEXIST")) throw err;
      }
      logger.info("assigned address", { address: spec.address, link: spec.linkName });
      if (spec.announceWithARP && spec.family === "inet4") await announce(linkIndex, spec.address, logger);
    },
    async remove(spec, links, { logger }) {
      const linkIndex = findLink(links, spec.linkName)?.index;
      // What is gone with its link needs no removal.
      if (linkIndex === undefined || (await present(spec, linkIndex)) === undefined) return;
      await network.deleteAddress({ address: spec.address, linkIndex });
      logger.info("removed address", { address: spec.address, link: spec.linkName });
    },
  });
}

/** IPv4 networks of more than two addresses have one for all of them. */
function broadcastOf(prefix: string): { readonly broadcast?: string } {
  const broadcast = broadcastAddress(prefix);
  return broadcast === undefined ? {} : { broadcast };
}
