import { goDurationMs, systemClock } from "@talos-ts/base";
import {
  createKubernetesClient,
  parseKubeconfig,
  type KubernetesAccess,
  type KubernetesClient,
} from "@talos-ts/kubernetes";
import { defaultKubernetesVersion, imageRepositories } from "@talos-ts/machinery/constants";
import { createHealthSubject, quoted, rollingChecks, runChecks } from "@talos-ts/machinery/health";
import type { CommandDefinition, Invocation, OptionDefinition } from "../command.ts";
import { runOperation } from "../operation/run-operation.ts";
import { sameCommand } from "../operation/same-command.ts";
import { changeOptions, configEncoder } from "../session/change-config.ts";
import { clusterNodes } from "../session/cluster-nodes.ts";
import { downloadKubeconfig } from "../session/download-kubeconfig.ts";
import { checkOneNode } from "../session/one-node.ts";
import { openSession, type Session } from "../session/session.ts";
import { detectLowestVersion } from "../upgrade-k8s/detect-version.ts";
import { inventoryPolicies, type InventoryPolicy } from "../upgrade-k8s/inventory-policy.ts";
import { upgradePath } from "../upgrade-k8s/upgrade-path.ts";
import { upgradeSteps } from "../upgrade-k8s/upgrade-steps.ts";
import { upgradedImages, type Upgrade, type UpgradedImage } from "../upgrade-k8s/upgrade.ts";
import { flag, textOption } from "../values.ts";

/** Flags that name repositories: `--apiserver-image`, `--kubelet-image` and so on. */
const imageFlags: Readonly<Record<UpgradedImage, string>> = {
  apiServer: "apiserver",
  controllerManager: "controller-manager",
  scheduler: "scheduler",
  proxy: "proxy",
  kubelet: "kubelet",
};

const imageOptions: readonly OptionDefinition[] = upgradedImages.map((name) => ({
  flags: `--${imageFlags[name]}-image <repository>`,
  description: `${imageRepositories[name].split("/").at(-1) ?? ""} image to use, without tag`,
  default: imageRepositories[name],
}));

export const command: CommandDefinition = {
  description:
    "Upgrades Kubernetes to another patch version or to the next minor one: the control plane one component and one node at a time, then kube-proxy, the kubelets one after the other, and the built-in manifests. Waits until the cluster is healthy after each step. What is done already is left alone: after Ctrl-C or a failure, run the same command again.",
  options: [
    { flags: "--from <version>", description: "version of Kubernetes to upgrade from (default: the lowest that runs)" },
    { flags: "--to <version>", description: "version of Kubernetes to upgrade to", default: defaultKubernetesVersion },
    { flags: "--endpoint <url>", description: "API server to ask instead of the cluster endpoint" },
    { flags: "--dry-run", description: "skip the actual upgrade and show the plan instead" },
    { flags: "--pre-pull-images", description: "pull the images before anything is changed", default: true },
    { flags: "--upgrade-kubelet", description: "upgrade the kubelets too", default: true },
    ...imageOptions,
    {
      flags: "--manifests-force",
      description: "delete and make objects anew whose change is refused, as that of a field that is immutable",
    },
    { flags: "--manifests-no-prune", description: "keep objects that the manifests made and no longer have" },
    {
      flags: "--manifests-inventory-policy <policy>",
      description: "which objects to change by owner: only own ones, also those of nobody, or all",
      choices: inventoryPolicies,
      default: "AdoptIfNoInventory" satisfies InventoryPolicy,
    },
    {
      flags: "--manifests-reconcile-timeout <duration>",
      description: "how long workloads of the manifests may take to be replaced; 0 does not wait",
      default: "5m0s",
    },
    ...changeOptions,
  ],
  examples: ["talosctl upgrade-k8s --dry-run", `talosctl upgrade-k8s --to ${defaultKubernetesVersion}`],
  async run(invocation) {
    await using session = await openSession(invocation);
    checkOneNode(session, "upgrade-k8s");
    const { io } = invocation;
    const stop = new AbortController();
    const signal = AbortSignal.any([invocation.signal, stop.signal]);
    const log = (line: string): void => io.err(`${line}\n`);
    const access = await accessOf(invocation, session);
    using kubernetes = createKubernetesClient({ access });
    const from = textOption(invocation, "from") ?? (await detected(kubernetes, signal, log));
    const path = upgradePath(from, textOption(invocation, "to") ?? defaultKubernetesVersion);
    const nodes = await clusterNodes(session, { controlPlanes: [], workers: [] });
    log(`discovered controlplane nodes ${quoted(nodes.controlPlanes)}`);
    log(`discovered worker nodes ${quoted(nodes.workers)}`);
    const { connection } = session;
    using subject = createHealthSubject({ connection, nodes, access: async () => access });
    const upgrade: Upgrade = {
      connection,
      nodes,
      path,
      repositories: repositoriesOf(invocation),
      dryRun: flag(invocation, "dryRun"),
      encode: configEncoder(invocation),
      kubernetes,
      access,
      healthy: () => runChecks(rollingChecks, subject, { signal, report: (line) => progress(line, log) }),
      log,
      clock: systemClock,
      signal,
    };
    const steps = upgradeSteps(upgrade, {
      prePull: flag(invocation, "prePullImages"),
      kubelets: flag(invocation, "upgradeKubelet"),
      manifests: {
        reconcileMs: goDurationMs(textOption(invocation, "manifestsReconcileTimeout") ?? "5m0s"),
        policy: policyOf(invocation),
        force: flag(invocation, "manifestsForce"),
        prune: !flag(invocation, "manifestsNoPrune"),
      },
    });
    const title = `${path.from} -> ${path.to}`;
    const [node] = session.targets;
    if (upgrade.dryRun) for (const step of steps) await step.run();
    else {
      const command = sameCommand(invocation);
      const plan = { kind: "upgrade-k8s", title, steps, timeoutMs: steps.length * stepMs, command, resumes: true };
      await runOperation(plan, { connection: () => connection, node, signal, stop, tell: log });
    }
  },
};

function policyOf(invocation: Invocation): InventoryPolicy {
  const given = textOption(invocation, "manifestsInventoryPolicy");
  return inventoryPolicies.find((policy) => policy === given) ?? "AdoptIfNoInventory";
}

/** Time for each step on the average; single waits have shorter ones. */
const stepMs = 10 * 60_000;

/** Tells only what is waited for: checks that pass are no news. */
function progress(line: string, log: (line: string) => void): void {
  if (!/: (?:\.\.\.|OK|SKIP)$/.test(line)) log(` > ${line}`);
}

async function detected(client: KubernetesClient, signal: AbortSignal, log: (line: string) => void): Promise<string> {
  const version = await detectLowestVersion({ client, clock: systemClock, signal, log });
  log(`automatically detected the lowest Kubernetes version ${version}`);
  return version;
}

async function accessOf(invocation: Invocation, session: Session): Promise<KubernetesAccess> {
  const found = await parseKubeconfig(await downloadKubeconfig(session, invocation.signal));
  const server = textOption(invocation, "endpoint");
  return server === undefined ? found : { ...found, server };
}

function repositoriesOf(invocation: Invocation): Readonly<Record<UpgradedImage, string>> {
  const of = (name: UpgradedImage): string => {
    const option = `${imageFlags[name].replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())}Image`;
    return textOption(invocation, option) ?? imageRepositories[name];
  };
  return {
    apiServer: of("apiServer"),
    controllerManager: of("controllerManager"),
    scheduler: of("scheduler"),
    proxy: of("proxy"),
    kubelet: of("kubelet"),
  };
}
