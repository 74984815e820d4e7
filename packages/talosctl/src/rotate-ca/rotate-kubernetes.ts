import { timeLimit } from "@talos-ts/base";
import { createKubernetesClient, kinds, type KubernetesAccess, type NodeObject } from "@talos-ts/kubernetes";
import type { ApiConnection } from "@talos-ts/machinery/client";
import type { MainConfig } from "@talos-ts/machinery/config";
import type { Step } from "../operation/step.ts";
import { watchRestart } from "../session/watch-restart.ts";
import { acceptAuthority, dropAuthority, issueWith } from "./authority-change.ts";
import { restartWorkloads } from "./restart-workloads.ts";
import type { AuthorityRotation } from "./rotation-file.ts";
import { changeAllNodes, type Rotation } from "./rotation.ts";

export interface KubernetesRotation extends Rotation, AuthorityRotation {
  readonly connection: () => ApiConnection;
  /** Has a control plane node issue a kubeconfig. */
  readonly access: () => Promise<KubernetesAccess>;
  /** Waits until the cluster is healthy. */
  readonly healthy: () => Promise<void>;
}

const restartMs = 5 * 60_000;
const patienceMs = 3 * 60_000;
const pauseMs = 1000;

/** Lists the steps of the rotation of the authority of Kubernetes. */
export function kubernetesSteps(rotation: KubernetesRotation): readonly Step[] {
  const { former, successor, dryRun, log, healthy } = rotation;
  const change = async (work: (main: MainConfig) => MainConfig): Promise<void> =>
    await changeAllNodes(rotation, rotation.connection(), work, async (node, apply) => {
      const { clock, signal } = rotation;
      const watched = { connection: rotation.connection(), node, service: "kubelet", clock, signal };
      const restarted = await watchRestart({ ...watched, timeoutMs: restartMs });
      if (await apply()) await restarted.done();
      await healthy();
    });
  return [
    { name: "existing Kubernetes PKI answers", run: () => verify(rotation, "existing PKI") },
    {
      name: "accept the new Kubernetes CA",
      run: async () => {
        log("> Adding new Kubernetes CA as accepted...");
        await change((main) => acceptAuthority(main, "cluster", successor.crt));
      },
    },
    {
      name: "issue with the new Kubernetes CA",
      run: async () => {
        log("> Making new Kubernetes CA the issuing CA, old Kubernetes CA the accepted CA...");
        await change((main) => issueWith(main, "cluster", successor, former));
        log("> Building new Kubernetes client...");
        await verify(rotation, "new PKI");
      },
    },
    {
      name: "restart workloads that trust the old Kubernetes CA",
      run: async () => {
        log("> Restarting built-in workloads, so that they trust the new Kubernetes CA...");
        if (dryRun) log("  - skipped (dry-run)");
        else await restartWorkloads(rotation, successor.crt);
      },
    },
    {
      name: "remove the old Kubernetes CA",
      run: async () => {
        log("> Removing old Kubernetes CA from the accepted CAs...");
        await change((main) => dropAuthority(main, "cluster", former));
        await verify(rotation, "new PKI");
      },
    },
  ];
}

/** Waits until every node is ready for a client with a kubeconfig that is issued now. */
async function verify(rotation: KubernetesRotation, label: string): Promise<void> {
  const { dryRun, log, clock, signal, access } = rotation;
  log(`> Verifying connectivity with ${label}...`);
  if (dryRun) {
    log(" - OK (dry-run mode)");
    return;
  }
  using limit = timeLimit(patienceMs, { clock, signal });
  for (;;) {
    let problem: unknown;
    try {
      using client = createKubernetesClient({ access: await access() });
      const { items } = await client.list<NodeObject>(kinds.node, { signal: limit.signal });
      const isReady = ({ status }: NodeObject): boolean =>
        status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") === true;
      const waiting = items.filter((node) => !isReady(node)).map(({ metadata }) => metadata.name ?? "");
      if (waiting.length === 0) {
        log(` - OK (${String(items.length)} nodes ready)`);
        return;
      }
      problem = new Error(`nodes not ready: ${JSON.stringify(waiting)}`);
    } catch (err) {
      problem = err;
    }
    await clock.sleep(pauseMs, limit.signal).catch(() => {
      throw problem;
    });
  }
}
