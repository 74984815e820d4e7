import { MachineService } from "@talos-ts/proto/machine/machine";
import type { Step } from "../operation/step.ts";
import { bootstrapManifests } from "./bootstrap-manifests.ts";
import { components } from "./components.ts";
import { prePullImages } from "./pre-pull.ts";
import { checkRemovedApis } from "./removed-apis.ts";
import { syncManifests, type SyncOptions } from "./sync-manifests.ts";
import { upgradeKubelet } from "./upgrade-kubelet.ts";
import { checkCompatible } from "./upgrade-path.ts";
import { upgradeProxy } from "./upgrade-proxy.ts";
import { upgradeStaticPod } from "./upgrade-static-pod.ts";
import type { Upgrade } from "./upgrade.ts";

export interface UpgradeChoices {
  readonly prePull: boolean;
  readonly kubelets: boolean;
  /** Options by which manifests are applied again. */
  readonly manifests: Pick<SyncOptions, "reconcileMs" | "policy" | "force" | "prune">;
}

/**
 * Lists the steps of an upgrade: checks, images, the control plane one component and one node at a time, kube-proxy, kubelets one
 * after the other, manifests. Every step but the first waits until the cluster is healthy. A step whose work is done only checks it,
 * so that an upgrade that was interrupted is continued by the same command.
 */
export function upgradeSteps(upgrade: Upgrade, choices: UpgradeChoices): readonly Step[] {
  const { nodes, log, path, dryRun, healthy } = upgrade;
  const { controlPlanes, workers } = nodes;
  const to = JSON.stringify(path.to);
  const perNode = (
    title: string,
    names: readonly string[],
    work: (node: string) => Promise<void>,
    check = true,
  ): readonly Step[] =>
    names.map((node, index) => ({
      name: `${title} on ${node}`,
      run: async () => {
        if (index === 0) log(`updating ${JSON.stringify(title)} to version ${to}`);
        await work(node);
        if (check && !dryRun) await healthy();
      },
    }));
  return [
    {
      name: "checks",
      run: async () => {
        await checkVersions(upgrade);
        await healthy();
        await checkRemovedApis(upgrade);
      },
    },
    ...(choices.prePull && !dryRun
      ? [{ name: "pull images", run: () => prePullImages(upgrade, choices.kubelets) }]
      : []),
    ...components.flatMap((component) =>
      perNode(component.id, controlPlanes, (node) => upgradeStaticPod(upgrade, component, node)),
    ),
    ...perNode("kube-proxy", controlPlanes, (node) => upgradeProxy(upgrade, node), false),
    ...(choices.kubelets
      ? perNode("kubelet", [...controlPlanes, ...workers], (node) => upgradeKubelet(upgrade, node))
      : [{ name: "kubelet", run: async () => log("skipped updating kubelet") }]),
    {
      name: "manifests",
      run: async () => {
        const { clock, signal, kubernetes: client } = upgrade;
        const options = { ...choices.manifests, client, dryRun, log, signal, clock };
        await syncManifests(options, await bootstrapManifests(upgrade));
        if (!dryRun) await healthy();
      },
    },
  ];
}

async function checkVersions({ connection, nodes, path, log, signal }: Upgrade): Promise<void> {
  for (const node of [...nodes.controlPlanes, ...nodes.workers]) {
    const { messages } = await connection.service(MachineService, { node }).version({}, { signal });
    const version = messages[0]?.version?.tag ?? "";
    checkCompatible(node, version, path.to);
    log(`> ${JSON.stringify(node)}: Talos version ${version} is compatible with Kubernetes version ${path.to}`);
  }
}
