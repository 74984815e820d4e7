import { describeError, formatTable } from "@talos-ts/base";
import { clustersDirectory, listClusters, showCluster, type ClusterView } from "@talos-ts/provision";
import type { CommandDefinition } from "../../command.ts";
import { textOption } from "../../values.ts";
import { clusterOptions } from "./cluster-options.ts";

export const command: CommandDefinition = {
  description: "Lists the clusters of this machine.",
  options: [
    ...clusterOptions.filter(({ flags }) => !flags.includes("--name")),
    { flags: "-o, --output <format>", description: "output format", choices: ["table", "json"], default: "table" },
  ],
  examples: ["talosctl cluster list", "talosctl cluster list -o json"],
  talksToNodes: false,
  async run(invocation) {
    const root = textOption(invocation, "state") ?? clustersDirectory();
    const views = await Promise.all(
      (await listClusters(root)).map((name) =>
        showCluster(name, root).catch((err: unknown) => {
          // A folder that holds no cluster must not hide those that are.
          invocation.io.err(`WARNING: ${name}: ${describeError(err)}\n`);
          return undefined;
        }),
      ),
    );
    const clusters = views.filter((view) => view !== undefined);
    const json = textOption(invocation, "output") === "json";
    invocation.io.out(json ? `${JSON.stringify(clusters, undefined, 2)}\n` : formatTable(rows(clusters)));
  },
};

function rows(clusters: readonly ClusterView[]): readonly (readonly string[])[] {
  return [
    ["NAME", "STATE", "NODES", "NETWORK", "ENDPOINT"],
    ...clusters.map(({ name, phase, nodes, network, kubernetesEndpoint }) => {
      const running = nodes.filter(({ state }) => state === "running").length;
      return [name, phase, `${String(running)}/${String(nodes.length)} running`, network.cidr, kubernetesEndpoint];
    }),
  ];
}
