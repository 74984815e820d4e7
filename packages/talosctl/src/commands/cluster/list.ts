import { describeError } from "@talos-ts/base";
import { clustersDirectory, listClusters, showCluster, type ClusterView } from "@talos-ts/provision";
import type { CommandDefinition } from "../../command.ts";
import { printRecords, recordFormatOption, type Column } from "../../output/records.ts";
import { textOption } from "../../values.ts";
import { clusterOptions } from "./cluster-options.ts";

export const command: CommandDefinition = {
  description: "Lists the clusters of this machine.",
  options: [...clusterOptions.filter(({ flags }) => !flags.includes("--name")), recordFormatOption],
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
    await printRecords(
      invocation,
      columns,
      views.filter((view) => view !== undefined),
    );
  },
};

const columns: readonly Column<ClusterView>[] = [
  ["NAME", ({ name }) => name],
  ["STATE", ({ phase }) => phase],
  [
    "NODES",
    ({ nodes }) => `${String(nodes.filter(({ state }) => state === "running").length)}/${String(nodes.length)} running`,
  ],
  ["NETWORK", ({ network }) => network.cidr],
  ["ENDPOINT", ({ kubernetesEndpoint }) => kubernetesEndpoint],
];
