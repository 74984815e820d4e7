import { clustersDirectory, formatCluster } from "@talos-ts/provision";
import type { CommandDefinition } from "../../command.ts";
import { textOption } from "../../values.ts";
import { clusterOptions } from "./cluster-options.ts";
import { viewCluster } from "./view-cluster.ts";

export const command: CommandDefinition = {
  options: [
    ...clusterOptions,
    { flags: "-o, --output <format>", description: "output format", choices: ["table", "json"], default: "table" },
    { flags: "--provisioner <name>", description: "kind of the cluster", hidden: true },
  ],
  talksToNodes: false,
  async run(invocation) {
    const root = textOption(invocation, "state") ?? clustersDirectory();
    const view = await viewCluster(textOption(invocation, "name") ?? "", root);
    const json = textOption(invocation, "output") === "json";
    invocation.io.out(json ? `${JSON.stringify(view, undefined, 2)}\n` : formatCluster(view));
  },
};
