import { join, resolve } from "node:path";
import { OsError } from "@talos-ts/base";
import {
  clustersDirectory,
  destroyCluster,
  readState,
  removeContext,
  saveClusterLogs,
  type ClusterPlan,
} from "@talos-ts/provision";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { createProgress } from "../../output/progress.ts";
import { flag, textOption } from "../../values.ts";
import { removeFromKubeconfig } from "./kubeconfig-file.ts";
import { clusterOptions, contextOptions } from "./cluster-options.ts";
import { saveSupport } from "./save-support.ts";

export const command: CommandDefinition = {
  description:
    "Removes a cluster of this machine and everything that was made for it, whatever state it is in. What cannot be saved before keeps it from being removed, unless --force is given.",
  options: [
    ...clusterOptions,
    { flags: "--save-support-archive-path <file>", description: "write a support bundle of all nodes first" },
    {
      flags: "--save-cluster-logs-archive-path <file>",
      description: "write consoles of nodes and logs of processes into this tar.gz file first",
    },
    { flags: "-f, --force", description: "remove it even when something could not be saved" },
  ],
  examples: [
    "talosctl cluster destroy --name demo",
    "talosctl cluster destroy --save-support-archive-path support.zip --save-cluster-logs-archive-path logs.tar.gz",
  ],
  talksToNodes: false,
  async run(invocation) {
    const { io } = invocation;
    const name = textOption(invocation, "name") ?? "";
    const root = textOption(invocation, "state") ?? clustersDirectory();
    const state = await readState(join(root, name)).catch(() => undefined);
    if (state !== undefined) await saveEvidence(invocation, state.plan);
    await destroyCluster({ name, clustersDirectory: root }, createProgress(io));
    if (state === undefined) return;
    await removeContext(state.plan, contextOptions(invocation));
    await removeFromKubeconfig(state.plan, io);
  },
};

/** @throws {OsError} `cluster/not-saved` when something that was asked for cannot be written, without --force */
async function saveEvidence(invocation: Invocation, plan: ClusterPlan): Promise<void> {
  const support = textOption(invocation, "saveSupportArchivePath");
  const logs = textOption(invocation, "saveClusterLogsArchivePath");
  if (support !== undefined) {
    await attempt(invocation, plan, "the support bundle", () => saveSupport(invocation, plan, resolve(support)));
  }
  if (logs === undefined) return;
  await attempt(invocation, plan, "the logs", async () => {
    const saved = await saveClusterLogs(plan.directory, resolve(logs));
    invocation.io.err(`${String(saved.length)} logs are written to ${logs}\n`);
  });
}

async function attempt(
  invocation: Invocation,
  { name }: ClusterPlan,
  what: string,
  save: () => Promise<void>,
): Promise<void> {
  try {
    await save();
  } catch (err) {
    invocation.signal.throwIfAborted();
    const cause = OsError.from(err);
    if (flag(invocation, "force")) {
      invocation.io.err(`WARNING: could not save ${what}: ${cause.message}\n`);
      return;
    }
    throw new OsError({
      kind: cause.kind,
      code: "cluster/not-saved",
      message: `Cannot remove cluster ${JSON.stringify(name)}: ${what} could not be saved: ${cause.message}`,
      next: `talosctl cluster destroy --name ${name} --force`,
      cause,
    });
  }
}
