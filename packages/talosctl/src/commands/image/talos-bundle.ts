import { talosVersion } from "@talos-ts/machinery/constants";
import type { CommandDefinition } from "../../command.ts";
import { talosBundle } from "./bundle.ts";

export const command: CommandDefinition = {
  description:
    "Prints the references of the images of a release, one per line. Extensions and overlays are not among them.",
  talksToNodes: false,
  arguments: [{ spec: "[version]", description: `release (default: ${talosVersion})` }],
  examples: ["talosctl image talos-bundle", "talosctl image talos-bundle v1.13.0"],
  async run({ args, io }) {
    io.out(`${talosBundle(args[0] ?? talosVersion).join("\n")}\n`);
  },
};
