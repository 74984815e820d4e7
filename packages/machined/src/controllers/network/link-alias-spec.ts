import type { Clock } from "@talos-ts/base";
import { shared, type Controller, type Writer } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import { LinkAliasSpec, LinkRefresh } from "@talos-ts/machinery/resources/network";
import { kernelApplier } from "./internal/kernel-applier.ts";

/** Gives links their aliases, and takes them away. */
export function linkAliasSpecController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  const network = machine.linux.networks.here;
  return kernelApplier(machine, {
    name: "network.LinkAliasSpecController",
    type: LinkAliasSpec,
    noun: "link alias",
    groups: ["links"],
    outputs: [shared(LinkRefresh)],
    async apply({ alias }, links, context, link) {
      const found = links.find(({ name }) => name === link);
      if (found === undefined || found.alias === alias) return;
      await network.changeLink(found.index, { alias });
      await refresh(context, link);
      context.logger.info("set link alias", { link, alias });
    },
    async remove({ alias }, links, context, link) {
      const found = links.find(({ name }) => name === link);
      if (found === undefined || found.alias !== alias) return;
      await network.changeLink(found.index, { alias: "" });
      await refresh(context, link);
      context.logger.info("removed link alias", { link, alias });
    },
  });
}

/** Has the status of a link read again: the kernel does not tell of the alias of a link that is down. */
async function refresh(writer: Pick<Writer, "modify">, link: string): Promise<void> {
  await writer.modify(LinkRefresh, link, (current) => ({ generation: (current?.generation ?? 0) + 1 }));
}
