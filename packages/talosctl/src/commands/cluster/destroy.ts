import { join } from "node:path";
import { clustersDirectory, destroyCluster, readState, removeContext } from "@talos-ts/provision";
import type { CommandDefinition } from "../../command.ts";
import { createProgress } from "../../output/progress.ts";
import { textOption } from "../../values.ts";
import { removeFromKubeconfig } from "./kubeconfig-file.ts";
import { clusterOptions, contextOptions } from "./cluster-options.ts";

export const command: CommandDefinition = {
  description: "Removes a cluster of this machine and everything that was made for it, whatever state it is in.",
  options: [
    ...clusterOptions,
    { flags: "-f, --force", description: "accepted for scripts; what is left behind is always removed", hidden: true },
  ],
  talksToNodes: false,
  async run(invocation) {
    const { io } = invocation;
    const name = textOption(invocation, "name") ?? "";
    const root = textOption(invocation, "state") ?? clustersDirectory();
    const state = await readState(join(root, name)).catch(() => undefined);
    await destroyCluster({ name, clustersDirectory: root }, createProgress(io));
    if (state === undefined) return;
    await removeContext(state.plan, contextOptions(invocation));
    await removeFromKubeconfig(state.plan, io);
  },
};
