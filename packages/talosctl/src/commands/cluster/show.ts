import { formatCluster, showCluster } from "@talos-ts/provision";
import type { CommandDefinition } from "../../command.ts";
import { textOption } from "../../values.ts";
import { clusterOptions } from "./cluster-options.ts";

export const command: CommandDefinition = {
  options: [
    ...clusterOptions,
    { flags: "-o, --output <format>", description: "output format", choices: ["table", "json"], default: "table" },
    { flags: "--provisioner <name>", description: "kind of the cluster", hidden: true },
  ],
  talksToNodes: false,
  async run(invocation) {
    const view = await showCluster(textOption(invocation, "name") ?? "", textOption(invocation, "state"));
    const json = textOption(invocation, "output") === "json";
    invocation.io.out(json ? `${JSON.stringify(view, undefined, 2)}\n` : formatCluster(view));
  },
};
