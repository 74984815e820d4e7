import { describeError, timeLimit, type Clock } from "@talos-ts/base";
import { findTyped, type State } from "@talos-ts/cosi";
import { cordonNode, createKubernetesClient, drainNode } from "@talos-ts/kubernetes";
import { Nodename } from "@talos-ts/machinery/resources/k8s";
import { ownAccess, type Finder } from "../../controllers/k8s/internal/kubernetes-access.ts";
import { ownership } from "../../controllers/k8s/internal/node-changes.ts";
import type { Task } from "../../sequence.ts";

/** Longest time for everything, in ms. */
const drainMs = 5 * 60_000;

export interface CordonAndDrainOptions {
  readonly clock: Clock;
  readonly state: State;
  readonly root: string;
}

/** Moves workloads away before the machine goes down. An API that does not answer is told, and the machine goes down anyway. */
export function cordonAndDrainNode({ clock, state, root }: CordonAndDrainOptions): Task {
  const finder: Finder = { find: (type, id, namespace) => findTyped(state, type, id, namespace) };
  return async ({ signal, log }) => {
    const nodename = (await findTyped(state, Nodename, Nodename.id))?.spec;
    if (nodename === undefined || nodename.skipNodeRegistration) return;
    const access = await ownAccess(finder, root, "localhostAdminKubeconfig");
    if (access === undefined) {
      log("skipping cordon and drain: the node has no access to Kubernetes");
      return;
    }
    using client = createKubernetesClient({ access: access.access, clock, timeoutMs: 10_000 });
    using limit = timeLimit(drainMs, { clock, signal });
    const options = { client, node: nodename.nodename, clock, signal: limit.signal, log };
    try {
      await cordonNode(options, { [ownership.cordoned]: "true" });
      await drainNode(options);
    } catch (err) {
      signal.throwIfAborted();
      log(`failed to cordon and drain node "${nodename.nodename}": ${describeError(err)}`);
    }
  };
}
