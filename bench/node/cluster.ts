import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { createChannel, createClient } from "@talos-ts/grpc";
import { tlsPrivateKey } from "@talos-ts/crypto";
import type { Rootfs } from "@talos-ts/imager";
import type { Progress } from "@talos-ts/host";
import { contextCredentials, type TalosConfig } from "@talos-ts/machinery/talosconfig";
import { MachineService } from "@talos-ts/proto/machine/machine";
import {
  apiPort,
  createCluster,
  destroyCluster,
  generateClusterConfigs,
  layout,
  listClusters,
  clustersDirectory,
  planCluster,
  type ClusterConfigs,
  type ClusterPlan,
} from "@talos-ts/provision";

const name = "bench";

export interface BenchCluster extends AsyncDisposable {
  readonly plan: ClusterPlan;
  readonly configs: ClusterConfigs;
  /** Milliseconds from the start of its container to the first answer of the API, in the order of the nodes. */
  readonly answered: readonly number[];
}

/** Creates a cluster as `talosctl cluster create` does, and waits until the API of every node answers. */
export async function createBenchCluster(image: Rootfs, workers: number, signal: AbortSignal): Promise<BenchCluster> {
  await removeLeftovers();
  const request = { name, subnet: "10.6.0.0/24", controlPlanes: 1, workers };
  const plan = planCluster(request, clustersDirectory());
  const configs = await generateClusterConfigs(plan);
  await using stack = new AsyncDisposableStack();
  stack.defer(removeLeftovers);

  const failed = new AbortController();
  const until = AbortSignal.any([signal, failed.signal, AbortSignal.timeout(patienceMs)]);
  const answers: Promise<number>[] = [];
  const progress: Progress = ({ stage, state, done = 0 }) => {
    const node = plan.nodes[done - 1];
    if (stage !== "start nodes" || state !== "step" || node === undefined) return;
    const started = performance.now();
    answers.push(
      firstAnswer(configs.talosconfig, node.address, until).then(
        () => performance.now() - started,
        async (cause: unknown) => {
          const said = await readFile(layout.log(plan, node), "utf8").catch(() => "nothing");
          throw new Error(`The API of ${node.name} did not answer; its last words:\n${lastLines(said)}`, { cause });
        },
      ),
    );
  };
  try {
    await createCluster(
      { ...request, image: async () => image, nodeConfig: async (node) => configs.nodeConfig(node), signal },
      progress,
    );
    const answered = await Promise.all(answers);
    const owned = stack.move();
    return { plan, configs, answered, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  } finally {
    failed.abort();
    await Promise.allSettled(answers);
  }
}

const patienceMs = 60_000;

const lastLines = (text: string): string => text.trimEnd().split("\n").slice(-12).join("\n");

async function removeLeftovers(): Promise<void> {
  if ((await listClusters(clustersDirectory())).includes(name)) await destroyCluster({ name });
}

/** Calls until a call succeeds, as a person who waits would. */
async function firstAnswer(talosconfig: TalosConfig, address: string, signal: AbortSignal): Promise<void> {
  const context = talosconfig.contexts.get(talosconfig.context);
  const { ca, client } = context === undefined ? {} : contextCredentials(context, talosconfig.context);
  await using channel = createChannel({
    target: `${address}:${apiPort}`,
    tls: {
      material: {
        ...(ca !== undefined && { ca }),
        ...(client !== undefined && { cert: client.crt, key: tlsPrivateKey(client.key) }),
      },
    },
    connectTimeoutMs: 1000,
    backoff: { initialMs: 20, maxMs: 20, factor: 1, jitter: 0 },
  });
  const machine = createClient(MachineService, channel);
  for (;;) {
    try {
      await machine.version({}, { signal, waitForReady: true });
      return;
    } catch (err) {
      if (signal.aborted) throw err;
      await setTimeout(20);
    }
  }
}
