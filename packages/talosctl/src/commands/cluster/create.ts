import { OsError } from "@talos-ts/base";
import { buildRootfs, importRootfs, systemDaemons } from "@talos-ts/imager";
import { loadConfig } from "@talos-ts/machinery/config";
import { talosVersion } from "@talos-ts/machinery/constants";
import { generateBundle } from "@talos-ts/machinery/secrets";
import {
  clustersDirectory,
  createCluster,
  generateClusterConfigs,
  planCluster,
  saveContext,
  type ClusterConfigOptions,
  type ClusterRequest,
} from "@talos-ts/provision";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { createProgress } from "../../output/progress.ts";
import { readRegistryMirrors } from "../../registry-mirrors.ts";
import { flag, textOption } from "../../values.ts";
import { applyConfigs } from "./apply-configs.ts";
import { bringUpKubernetes } from "./bring-up-kubernetes.ts";
import { contextOptions } from "./cluster-options.ts";
import { hostCommands } from "./host-commands.ts";
import { planConfigFiles } from "./config-files.ts";
import { createOptions, readPatches, readRequest } from "./create-options.ts";
import { planImages } from "./plan-images.ts";
import { showNext } from "./show-next.ts";
import { apiDeadline, waitForApi } from "./wait-for-api.ts";

/** Creates a cluster as the flags of a command ask for. */
export async function runCreate(invocation: Invocation, asked: ClusterRequest): Promise<void> {
  const { io, signal } = invocation;
  const root = textOption(invocation, "state") ?? clustersDirectory();
  const kubernetesVersion = textOption(invocation, "kubernetesVersion");
  const settings: ClusterConfigOptions = {
    secrets: await generateBundle({ now: new Date() }),
    patches: readPatches(invocation),
    generate: { registryMirrors: readRegistryMirrors(invocation) },
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
  };
  const { kubernetes, cached, build } = await planImages(invocation, async () => {
    const draft = await generateClusterConfigs(planCluster(asked, root), settings);
    return (["controlplane", "worker"] as const).map((type) => loadConfig(draft.nodeConfig({ type })));
  });
  if (asked.provisioner === "qemu" && (build !== undefined || asked.imageCache !== undefined)) throw noImageCache();
  const request = { ...asked, kubernetes };
  const plan = planCluster(request, root);
  const byHand = flag(invocation, "skipInjectingConfig");
  const files = byHand ? await planConfigFiles(plan, flag(invocation, "force")) : undefined;
  const image = textOption(invocation, "image");
  const configs = await generateClusterConfigs(plan, { ...settings, imageCache: cached });
  const progress = createProgress(io);
  await createCluster(
    {
      ...request,
      clustersDirectory: root,
      signal,
      host: hostCommands(),
      install: flag(invocation, "install"),
      ...(build !== undefined && { images: () => build(progress) }),
      image: () =>
        image === undefined
          ? buildRootfs(
              {
                daemons: systemDaemons(),
                version: talosVersion,
                podNetwork: kubernetes,
                refresh: flag(invocation, "refresh"),
                signal,
              },
              progress,
            )
          : importRootfs(image),
      ...(!byHand && { nodeConfig: async (node) => configs.nodeConfig(node) }),
    },
    progress,
  );
  await files?.write(configs);
  const context = await saveContext(configs.talosconfig, contextOptions(invocation));
  await waitForApi(invocation, plan, progress);
  // A virtual machine learns its configuration through the API.
  const applies = byHand ? flag(invocation, "withApplyConfig") : asked.provisioner === "qemu";
  if (applies) await applyConfigs(plan, configs, apiDeadline(invocation), progress);
  const configured = !byHand || applies;
  if (kubernetes && configured && flag(invocation, "wait")) {
    await bringUpKubernetes(invocation, plan, configs.talosconfig);
  }
  await showNext(invocation, plan, root, { context, ...(files !== undefined && { files: files.paths }) });
}

function noImageCache(): OsError {
  return new OsError({
    kind: "unimplemented",
    code: "cluster/no-image-cache",
    message:
      "Cannot give virtual machines an image cache: they take container images from registries, or run without Kubernetes",
    next: "talosctl cluster create qemu --images none",
  });
}

export const command: CommandDefinition = {
  description:
    "Creates a cluster on this machine, each node in a container of its own, and adds a context for it to the client configuration.",
  options: createOptions,
  talksToNodes: false,
  examples: [
    "talosctl cluster create",
    "talosctl cluster create --name demo --controlplanes 3 --workers 2",
    "talosctl cluster create --skip-injecting-config",
  ],
  run: (invocation) => runCreate(invocation, readRequest(invocation)),
};
