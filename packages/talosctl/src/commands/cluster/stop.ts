import { clustersDirectory, stopCluster } from "@talos-ts/provision";
import type { CommandDefinition } from "../../command.ts";
import { parseDuration } from "../../output/go-duration.ts";
import { createProgress } from "../../output/progress.ts";
import { textOption } from "../../values.ts";
import { clusterOptions, nodesArgument } from "./cluster-options.ts";

export const command: CommandDefinition = {
  description:
    "Shuts nodes of a cluster down in order. What they keep stays, and `cluster start` brings them back; with the last node goes the network.",
  arguments: [nodesArgument("nodes to stop")],
  options: [
    ...clusterOptions,
    { flags: "--timeout <duration>", description: "how long nodes may take before they are killed", default: "1m" },
  ],
  talksToNodes: false,
  examples: ["talosctl cluster stop", "talosctl cluster stop --name demo worker-1"],
  async run(invocation) {
    const { io, signal, args } = invocation;
    const name = textOption(invocation, "name") ?? "";
    const { stopped } = await stopCluster(
      {
        name,
        nodes: args,
        clustersDirectory: textOption(invocation, "state") ?? clustersDirectory(),
        graceMs: parseDuration(textOption(invocation, "timeout") ?? "1m"),
        signal,
      },
      createProgress(io),
    );
    const names = stopped.map((node) => node.name).join(", ");
    io.err(stopped.length === 0 ? "No node to stop was running\n" : `Stopped ${names}\n`);
    io.err(`\nNext:\n  talosctl cluster start --name ${name}\n`);
  },
};
