import { OsError, systemClock } from "@talos-ts/base";
import {
  cordonNode,
  createKubernetesClient,
  drainNode,
  parseKubeconfig,
  uncordonNode,
  type KubernetesClient,
} from "@talos-ts/kubernetes";
import { openResources } from "@talos-ts/machinery/client/resources";
import { Nodename } from "@talos-ts/machinery/resources/k8s";
import { downloadKubeconfig } from "./download-kubeconfig.ts";
import type { Session } from "./session.ts";

/** Annotation of nodes that this client cordoned, so that the same command takes the cordon back after it was interrupted. */
const cordonMark = "talos.dev/cordoned-by";
const marks = { [cordonMark]: "talosctl" };

/** Nodes that were drained. Disposing closes the client; it does not change the nodes. */
export interface DrainedNodes extends Disposable {
  /**
   * Lets pods be scheduled again on the nodes that were cordoned by this client, now or before. An API server that does not answer is
   * asked again until the signal aborts.
   *
   * @throws {OsError} `cli/still-cordoned`
   */
  uncordon(signal: AbortSignal): Promise<void>;
}

/**
 * Cordons Kubernetes nodes and evicts their pods, all at once. When one fails, none stays cordoned.
 *
 * @param targets Nodes to drain, by address. @default those of the session
 */
export async function drainNodes(
  session: Session,
  signal: AbortSignal,
  tell: (node: string, text: string) => void,
  targets: readonly (string | undefined)[] = session.targets,
): Promise<DrainedNodes> {
  const client = await openKubernetes(session, signal);
  const cordoned: string[] = [];
  const drained: DrainedNodes = {
    async uncordon(limit) {
      for (const node of cordoned) await uncordonPersistently(client, node, limit);
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
  const results = await Promise.allSettled(
    targets.map(async (target) => {
      const label = target ?? session.defaultNode;
      const node = await nodenameOf(session, target);
      tell(label, `cordon node ${node}`);
      if (await cordonNode({ client, node, signal }, marks)) cordoned.push(node);
      await drainNode({ client, node, signal, clock: systemClock, log: (line) => tell(label, line) });
      tell(label, `drained node ${node}`);
    }),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed === undefined) return drained;
  using _ = drained;
  await drained.uncordon(AbortSignal.timeout(takeBackMs)).catch(() => undefined);
  const cause = OsError.from(failed.reason);
  throw new OsError({
    kind: cause.kind,
    code: "cli/not-drained",
    message: `error draining nodes: ${cause.message}`,
    next: cause.next ?? "the same command with a longer --drain-timeout, or with --drain=false",
    cause,
  });
}

/** Takes the cordon of a node back if it is one of this client, also of a former call. */
export async function takeCordonBack(session: Session, target: string, signal: AbortSignal): Promise<void> {
  using client = await openKubernetes(session, signal);
  const node = await nodenameOf(session, target);
  const ref = { apiVersion: "v1", kind: "Node", name: node };
  const { metadata } = await client.get(ref, { signal });
  if (metadata.annotations?.[cordonMark] !== undefined) await uncordonPersistently(client, node, signal);
}

/** A client of Kubernetes with the access that the endpoint gives. */
export async function openKubernetes(session: Session, signal: AbortSignal): Promise<KubernetesClient> {
  const endpoint: Pick<Session, "all"> = { all: (service) => session.connection.service(service) };
  return createKubernetesClient({ access: await parseKubeconfig(await downloadKubeconfig(endpoint, signal)) });
}

/** Time to take cordons back after a failure, in ms. */
export const takeBackMs = 30_000;
const retryMs = 1000;

/** The API server may have been on the machine that just started again. */
async function uncordonPersistently(client: KubernetesClient, node: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await uncordonNode({ client, node, signal }, [cordonMark]);
      return;
    } catch (cause) {
      await systemClock.sleep(retryMs, signal).catch(() => {
        throw new OsError({
          kind: "unavailable",
          code: "cli/still-cordoned",
          message: `node ${JSON.stringify(node)} is still cordoned: ${OsError.from(cause).message}`,
          next: `kubectl uncordon ${node}`,
          cause,
        });
      });
    }
  }
}

/** Name of a machine as a Kubernetes node. */
export async function nodenameOf(session: Session, target: string | undefined): Promise<string> {
  const resources = openResources(session.connection, target, [Nodename]);
  return (await resources.get(Nodename, Nodename.id)).spec.nodename;
}
