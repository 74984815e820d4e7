import { createRegistryClient, parseReference } from "@talos-ts/oci";
import { talosVersion } from "@talos-ts/machinery/constants";
import type { CommandDefinition } from "../../command.ts";
import { flag } from "../../values.ts";
import { talosBundle } from "./bundle.ts";
import { registrySettings } from "./registry-settings.ts";
import { partsImage, releaseParts, type ReleasePart } from "./release-parts.ts";

const parts: readonly ReleasePart[] = ["overlays", "extensions"];

export const command: CommandDefinition = {
  description:
    "Prints the references of the images of a release, one per line. Which system extensions and overlays belong to it is asked of their registry.",
  talksToNodes: false,
  arguments: [{ spec: "[version]", description: `release (default: ${talosVersion})` }],
  options: [
    { flags: "--extensions", description: "list the images of system extensions", default: true },
    { flags: "--overlays", description: "list the images of overlays", default: true },
    { flags: "--registry-mirror <list>", description: "mirrors, as in ghcr.io=https://mirror:5000", list: true },
    { flags: "--insecure", description: "accept any certificate of registries" },
  ],
  examples: ["talosctl image talos-bundle", "talosctl image talos-bundle v1.13.0 --extensions=false --overlays=false"],
  async run(invocation) {
    const { args, io, signal } = invocation;
    const tag = `v${(args[0] ?? talosVersion).replace(/^v/, "")}`;
    const wanted = parts.filter((part) => flag(invocation, part));
    const images = parts.map((part) => partsImage(part, tag));
    using source = createRegistryClient({ settings: registrySettings(invocation, images.map(parseReference)) });
    const found: string[] = [];
    for (const part of wanted) found.push(...(await releaseParts(part, tag, { source, signal })));
    io.out(`${[...talosBundle(tag), ...images, ...new Set(found.toSorted())].join("\n")}\n`);
  },
};
