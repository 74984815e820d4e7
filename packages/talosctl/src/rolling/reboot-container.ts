import { OsError, timeLimit } from "@talos-ts/base";
import { openResources } from "@talos-ts/machinery/client/resources";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";
import { ApplyConfigurationRequest_Mode as Mode } from "@talos-ts/proto/machine/config";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { parseDuration } from "../output/go-duration.ts";
import { readMachineConfig } from "../session/machine-config.ts";
import { textOption } from "../values.ts";
import { presenceOf } from "./presence.ts";
import type { RollingContext } from "./rolling-work.ts";

/** Reports whether a node has refused to reboot because it is a container. */
export function isContainerRefusal(err: unknown): boolean {
  const { kind, message } = OsError.from(err);
  return kind === "failed-precondition" && message.includes("not supported in container mode");
}

const pauseMs = 1000;

/**
 * Restarts a node in a container, whose API refuses `Reboot`: its own configuration is applied with a reboot, which runs the same
 * sequence. Waits until it is ready again.
 */
export async function rebootContainer(context: RollingContext, node: string): Promise<void> {
  const { session, invocation, tell, clock, signal } = context;
  const { connection } = session;
  const timeoutMs = parseDuration(textOption(invocation, "timeout") ?? "30m");
  using limit = timeLimit(timeoutMs, { clock, signal, reason: () => late(node, timeoutMs) });
  const within = { clock, signal: limit.signal };
  const before = await presenceOf(connection, node, within);
  if (before.state !== "up") throw late(node, 0);
  const data = new TextEncoder().encode(await readMachineConfig(session, node));
  tell(node, "a container: applying its configuration with a reboot");
  await connection
    .service(MachineService, { node })
    .applyConfiguration({ data, mode: Mode.REBOOT }, { signal: limit.signal });
  const resources = openResources(connection, node, [MachineStatus]);
  let wasDown = false;
  for (;;) {
    const now = await presenceOf(connection, node, within);
    if (now.state === "away" && !wasDown) {
      wasDown = true;
      tell(node, "is down");
    }
    if (now.state === "up" && now.bootedMs > before.bootedMs) {
      const status = await limit.race(resources.find(MachineStatus, MachineStatus.id)).catch(() => undefined);
      limit.signal.throwIfAborted();
      if (status?.spec.stage === "running" && status.spec.status.ready) break;
    }
    await clock.sleep(pauseMs, limit.signal);
  }
  tell(node, "is ready");
}

function late(node: string, timeoutMs: number): OsError {
  return new OsError({
    kind: "deadline-exceeded",
    code: "cli/not-finished",
    message: `error executing reboot: ${node} is not ready after ${String(timeoutMs / 1000)} s`,
    next: `talosctl --nodes ${node} events --tail -1`,
  });
}
