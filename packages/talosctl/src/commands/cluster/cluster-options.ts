import type { Invocation, OptionDefinition } from "../../command.ts";
import { textOption } from "../../values.ts";

/** Flags of every command about a local cluster. */
export const clusterOptions: readonly OptionDefinition[] = [
  { flags: "--name <name>", description: "name of the cluster", default: "talos-default" },
  { flags: "--state <directory>", description: "where clusters are kept (default: ~/.talos/clusters)" },
  {
    flags: "--talosconfig-destination <path>",
    description: "client configuration that has the context of the cluster",
  },
  { flags: "--talosconfig <path>", description: "the same", hidden: true },
];

/** The client configuration that gets the context, even when it does not exist yet; else the first one that does. */
export function contextFile(invocation: Invocation): string | undefined {
  const { global, io } = invocation;
  const given = textOption(invocation, "talosconfigDestination") ?? global.talosconfig ?? io.env["TALOSCONFIG"];
  return given === "" ? undefined : given;
}
