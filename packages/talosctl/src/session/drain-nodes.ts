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

/** Nodes that were drained. Disposing closes the client; it does not change the nodes. */
export interface DrainedNodes extends Disposable {
  /** Lets pods be scheduled again on the nodes that were cordoned here. */
  uncordon(signal: AbortSignal): Promise<void>;
}

/**
 * Cordons the Kubernetes nodes of a session and evicts their pods, all at once. When one fails, none stays cordoned.
 */
export async function drainNodes(
  session: Session,
  signal: AbortSignal,
  tell: (node: string, text: string) => void,
): Promise<DrainedNodes> {
  const endpoint: Pick<Session, "all"> = { all: (service) => session.connection.service(service) };
  const client: KubernetesClient = createKubernetesClient({
    access: await parseKubeconfig(await downloadKubeconfig(endpoint, signal)),
  });
  const cordoned: string[] = [];
  const drained: DrainedNodes = {
    async uncordon(limit) {
      for (const node of cordoned) await uncordonNode({ client, node, signal: limit });
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
  const results = await Promise.allSettled(
    session.targets.map(async (target) => {
      const label = target ?? session.defaultNode;
      const node = await nodenameOf(session, target);
      tell(label, `cordon node ${node}`);
      if (await cordonNode({ client, node, signal })) cordoned.push(node);
      await drainNode({ client, node, signal, clock: systemClock, log: (line) => tell(label, line) });
      tell(label, `drained node ${node}`);
    }),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed === undefined) return drained;
  using _ = drained;
  await drained.uncordon(AbortSignal.timeout(uncordonMs)).catch(() => undefined);
  const cause = OsError.from(failed.reason);
  throw new OsError({
    kind: cause.kind,
    code: "cli/not-drained",
    message: `error draining nodes: ${cause.message}`,
    next: cause.next ?? "talosctl reboot --drain-timeout <longer>, or without --drain",
    cause,
  });
}

/** Time to take cordons back after a failure, in ms. */
const uncordonMs = 30_000;

async function nodenameOf(session: Session, target: string | undefined): Promise<string> {
  const resources = openResources(session.connection, target, [Nodename]);
  return (await resources.get(Nodename, Nodename.id)).spec.nodename;
}
