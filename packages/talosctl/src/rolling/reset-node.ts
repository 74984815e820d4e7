import type { MessageInitShape } from "@bufbuild/protobuf";
import { isKind } from "@talos-ts/base";
import { kinds, type NodeObject } from "@talos-ts/kubernetes";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { ResetRequestSchema } from "@talos-ts/proto/machine/power";
import { nodenameOf, openKubernetes } from "../session/drain-nodes.ts";
import { trackAction } from "../session/track-action.ts";
import { presenceOf, settledPresence } from "./presence.ts";
import type { RollingContext, RollingWork } from "./rolling-work.ts";

/**
 * Erases a node, which moves its pods away and leaves etcd first, and waits until it is down or, with `reboot`, back. One that does not
 * come back as a member is removed from Kubernetes.
 */
export function resetNode(request: MessageInitShape<typeof ResetRequestSchema>): RollingWork {
  const returns = request.reboot === true;
  return {
    kind: "reset",
    erases: true,
    async run(context, node) {
      const { session, invocation, cluster, tell, signal } = context;
      const name = await nodenameOf(session, node);
      await cluster.requireQuorum("reset", node, signal);
      const service = session.connection.service(MachineService, { nodes: [node] });
      const [end] = await trackAction(
        session,
        { ...invocation, signal },
        {
          name: "reset",
          until: returns ? "back" : "down",
          wait: true,
          tell,
          start: () => session.answers("executing reset", service.reset(request, { signal })),
        },
      );
      // One that was seen in maintenance mode may have got its configuration since.
      if (end === "back" || (returns && (await presenceOf(session.connection, node, context)).state !== "away")) return;
      await forget(context, node, name);
    },
    async finish(context, node, sinceMs) {
      const { session, cluster } = context;
      const presence = await settledPresence(session.connection, node, { ...context, wait: false });
      if (presence.state === "up") return presence.bootedMs > sinceMs;
      if (cluster.isControlPlane(node) || cluster.nodes.workers.includes(node)) return false;
      await forget(context, node, await nodeOfAddress(context, node));
      return true;
    },
  };
}

/** Removes a machine that was erased from Kubernetes, and from the nodes that must be healthy. */
async function forget(context: RollingContext, node: string, name: string | undefined): Promise<void> {
  const { session, cluster, tell, signal } = context;
  cluster.remove(node);
  if (name === undefined) return;
  using client = await openKubernetes(session, signal);
  await client.delete({ ...kinds.node, name }, { signal }).catch((err: unknown) => {
    if (!isKind(err, "not-found")) throw err;
  });
  tell(node, `removed node ${name} from Kubernetes`);
}

/** The Kubernetes node of a machine that can no longer be asked for its name. */
async function nodeOfAddress({ session, signal }: RollingContext, address: string): Promise<string | undefined> {
  using client = await openKubernetes(session, signal);
  const { items } = await client.list<NodeObject>(kinds.node, { signal });
  const found = items.find(({ status }) => status?.addresses?.some((each) => each.address === address) === true);
  return found?.metadata.name;
}
