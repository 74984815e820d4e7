import { buildRootfs, systemDaemons } from "@talos-ts/imager";
import { talosVersion } from "@talos-ts/machinery/constants";
import {
  clustersDirectory,
  createCluster,
  formatCluster,
  generateClusterConfigs,
  nextCommands,
  planCluster,
  saveContext,
  showCluster,
  waitForNodes,
} from "@talos-ts/provision";
import type { CommandDefinition } from "../../command.ts";
import { parseDuration } from "../../output/go-duration.ts";
import { createProgress } from "../../output/progress.ts";
import { flag, textOption } from "../../values.ts";
import { contextFile } from "./cluster-options.ts";
import { createOptions, readPatches, readRequest } from "./create-options.ts";

export const command: CommandDefinition = {
  description:
    "Creates a cluster on this machine, each node in a container of its own, and adds a context for it to the client configuration.",
  options: createOptions,
  talksToNodes: false,
  examples: ["talosctl cluster create", "talosctl cluster create --name demo --controlplanes 3 --workers 2"],
  async run(invocation) {
    const { io, signal } = invocation;
    const request = readRequest(invocation);
    const root = textOption(invocation, "state") ?? clustersDirectory();
    const plan = planCluster(request, root);
    const kubernetesVersion = textOption(invocation, "kubernetesVersion");
    const configs = await generateClusterConfigs(plan, {
      patches: readPatches(invocation),
      ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    });
    const progress = createProgress(io);
    await createCluster(
      {
        ...request,
        clustersDirectory: root,
        signal,
        install: flag(invocation, "install"),
        image: () => buildRootfs({ daemons: systemDaemons(), version: talosVersion, signal }, progress),
        nodeConfig: async (node) => configs.nodeConfig(node),
      },
      progress,
    );
    const path = contextFile(invocation);
    const context = await saveContext(configs.talosconfig, {
      environment: { env: io.env },
      ...(path !== undefined && { path }),
    });
    if (invocation.options["wait"] !== false) {
      const timeout = AbortSignal.timeout(parseDuration(textOption(invocation, "waitTimeout") ?? "5m"));
      await waitForNodes(plan, { signal: AbortSignal.any([signal, timeout]) }, progress);
    }
    io.out(`\n${formatCluster(await showCluster(plan.name, root))}`);
    io.out(
      `\nNext:\n${nextCommands(plan, context)
        .map((line) => `  ${line}\n`)
        .join("")}`,
    );
  },
};
