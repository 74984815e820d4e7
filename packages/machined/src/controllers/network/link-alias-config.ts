import { describeError } from "@talos-ts/base";
import { createResource, exclusive, reduceController, weak, type Controller, type Resource } from "@talos-ts/cosi";
import { documentsOf, linkAliasConfig } from "@talos-ts/machinery/config";
import { LinkAliasSpec, LinkStatus, type LinkStatusSpec } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { glob } from "../internal/glob.ts";
import { isPhysical } from "./link-status.ts";

/**
 * Aliases of network cards. A card has one alias at most: that of the first document that chooses it. An alias without `%d` is for
 * one card; a selector that chooses several gives none.
 */
export function linkAliasConfigController(): Controller {
  return reduceController({
    name: "network.LinkAliasConfigController",
    inputs: [activeConfigInput, weak(LinkStatus)],
    outputs: [exclusive(LinkAliasSpec)],
    async reduce(context) {
      const config = await activeConfig(context);
      const documents = config === undefined ? [] : documentsOf(config, linkAliasConfig);
      if (documents.length === 0) return [];
      // The library of expressions is large, and most machines have none.
      const { linkSelector } = await import("@talos-ts/machinery/resources/cel");
      const cards = (await context.list(LinkStatus))
        .filter(({ spec }) => isPhysical(spec))
        .toSorted((a, b) => a.spec.index - b.spec.index);
      const aliases = new Map<string, string>();
      for (const { name = "", selector } of documents) {
        try {
          const chosen = chosenBy(linkSelector(selector?.match ?? "false", { glob }), cards, aliases);
          const many = name.includes("%d");
          if (!many && chosen.length > 1) {
            context.logger.warn("link alias not assigned: its selector matches several links", {
              alias: name,
              links: chosen.join(", "),
            });
          } else {
            chosen.forEach((link, index) => aliases.set(link, name.replace("%d", String(index))));
          }
        } catch (err) {
          context.logger.warn("link alias not assigned: its selector failed", {
            alias: name,
            error: describeError(err),
          });
        }
      }
      return [...aliases].map(([link, alias]) => createResource(LinkAliasSpec, link, { alias }));
    },
  });
}

function chosenBy(
  selects: (link: LinkStatusSpec) => boolean,
  cards: readonly Resource<LinkStatusSpec>[],
  taken: ReadonlyMap<string, string>,
): readonly string[] {
  return cards
    .filter(({ metadata, spec }) => !taken.has(metadata.id) && selects(spec))
    .map(({ metadata }) => metadata.id);
}
