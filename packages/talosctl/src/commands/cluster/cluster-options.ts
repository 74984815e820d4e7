import type { OptionDefinition } from "../../command.ts";

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
