import { buildRootfs, systemDaemons } from "@talos-ts/imager";
import { talosVersion } from "@talos-ts/machinery/constants";
import { clustersDirectory, startCluster } from "@talos-ts/provision";
import type { CommandDefinition } from "../../command.ts";
import { createProgress } from "../../output/progress.ts";
import { flag, textOption } from "../../values.ts";
import { clusterOptions, installOption, nodesArgument, waitOptions } from "./cluster-options.ts";
import { hostCommands } from "./host-commands.ts";
import { waitForKubernetes } from "./wait-for-kubernetes.ts";
import { showNext } from "./show-next.ts";
import { tellMaintenance } from "./tell-maintenance.ts";
import { waitForApi } from "./wait-for-api.ts";

export const command: CommandDefinition = {
  description:
    "Starts the nodes of a cluster that do not run, with their volumes and addresses, and brings back its network: after `cluster stop`, after a shutdown, after a restart of this machine.",
  arguments: [nodesArgument("nodes to start")],
  options: [...clusterOptions, installOption, ...waitOptions],
  talksToNodes: false,
  examples: ["talosctl cluster start", "talosctl cluster start --name demo worker-1"],
  async run(invocation) {
    const { io, signal, args } = invocation;
    const name = textOption(invocation, "name") ?? "";
    const root = textOption(invocation, "state") ?? clustersDirectory();
    const progress = createProgress(io);
    const { state, started } = await startCluster(
      {
        name,
        nodes: args,
        clustersDirectory: root,
        signal,
        host: hostCommands(),
        install: flag(invocation, "install"),
        image: ({ kubernetes: podNetwork = false }) =>
          buildRootfs({ daemons: systemDaemons(), version: talosVersion, podNetwork, signal }, progress),
      },
      progress,
    );
    // Whether they serve is another question, which the table below answers.
    if (started.length === 0) {
      io.err(
        args.length === 0
          ? `Nothing to start: every node of cluster "${name}" is on\n`
          : `On already: ${args.join(", ")}\n`,
      );
    }
    await waitForApi(invocation, { ...state.plan, nodes: started }, progress);
    if (flag(invocation, "wait")) await tellMaintenance(invocation, state.plan);
    if (state.plan.kubernetes === true && flag(invocation, "wait") && args.length === 0) {
      await waitForKubernetes(invocation, state.plan);
    }
    await showNext(invocation, state.plan, root);
  },
};
