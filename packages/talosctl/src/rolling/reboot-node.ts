import { MachineService } from "@talos-ts/proto/machine/machine";
import type { RebootRequest_Mode } from "@talos-ts/proto/machine/power";
import { parseDuration } from "../output/go-duration.ts";
import { drainNodes, takeBackMs, takeCordonBack } from "../session/drain-nodes.ts";
import { trackAction } from "../session/track-action.ts";
import { textOption } from "../values.ts";
import { isContainerRefusal, rebootContainer } from "./reboot-container.ts";
import { settledPresence } from "./presence.ts";
import type { RollingContext, RollingWork } from "./rolling-work.ts";

/** Drains a node, reboots it, waits until it is ready, and takes the cordon back. */
export function rebootNode(mode: RebootRequest_Mode): RollingWork {
  return {
    kind: "reboot",
    erases: false,
    async run(context, node) {
      const { session, invocation, cluster, tell, signal } = context;
      const limit = AbortSignal.timeout(parseDuration(textOption(invocation, "drainTimeout") ?? "5m"));
      using drained = await drainNodes(session, AbortSignal.any([signal, limit]), tell, [node]);
      try {
        // Moving pods takes minutes: what was found before need not hold any more.
        await cluster.requireQuorum("reboot", node, signal);
        await reboot(context, node, mode).catch(async (err: unknown) => {
          if (!isContainerRefusal(err)) throw err;
          await rebootContainer(context, node);
        });
      } finally {
        await drained.uncordon(AbortSignal.timeout(takeBackMs));
      }
      tell(node, "schedulable again");
    },
    async finish({ session, clock, signal }: RollingContext, node, sinceMs) {
      const presence = await settledPresence(session.connection, node, { clock, signal, wait: true });
      if (presence.state !== "up" || presence.bootedMs <= sinceMs) return false;
      await takeCordonBack(session, node, signal);
      return true;
    },
  };
}

async function reboot(context: RollingContext, node: string, mode: RebootRequest_Mode): Promise<void> {
  const { session, tell, signal } = context;
  const service = session.connection.service(MachineService, { nodes: [node] });
  await trackAction(
    session,
    { ...context.invocation, signal },
    {
      name: "reboot",
      until: "ready",
      wait: true,
      tell,
      start: () => session.answers("executing reboot", service.reboot({ mode }, { signal })),
    },
  );
}
