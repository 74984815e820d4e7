import { basename } from "node:path";
import { ContainerDriver } from "@talos-ts/proto/common/common";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { describeError } from "@talos-ts/base";
import type { Session } from "../session/session.ts";
import type { CgroupNames } from "./presets.ts";

/** Names of processes and block devices of a node; one that cannot be asked leaves the numbers as they are. */
export async function readCgroupNames(
  session: Session,
  node: string | undefined,
  signal: AbortSignal,
): Promise<CgroupNames> {
  const client = session.one(MachineService, node);
  const processes = new Map<string, string>();
  const devices = new Map<string, string>();
  await tell(session, "processes", async () => {
    for (const { processes: list } of (await client.processes({}, { signal })).messages) {
      for (const { pid, executable, command, args } of list)
        processes.set(String(pid), command !== "" ? command : basename(executable || (args.split(/\s/)[0] ?? "")));
    }
  });
  await tell(session, "block devices", async () => {
    for await (const { relativeName, link } of client.list({ root: "/sys/dev/block" }, { signal }))
      if (link !== "") devices.set(relativeName, basename(link));
  });
  return { processes, devices };
}

/** Names of pods and containers by the names of their control groups. */
export async function readContainerNames(
  session: Session,
  node: string | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  await tell(session, "containers", async () => {
    const request = { namespace: "k8s.io", driver: ContainerDriver.CRI };
    for (const { containers } of (await session.one(MachineService, node).containers(request, { signal })).messages) {
      for (const { uid, podId, internalId, name, id } of containers) {
        if (uid !== "" && podId !== "") names.set(`pod${uid}`, podId);
        if (internalId !== "") names.set(internalId, id === podId ? "sandbox" : name);
      }
    }
  });
  return names;
}

async function tell(session: Session, what: string, ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (err) {
    session.warn(`error getting ${what}: ${describeError(err)}`);
  }
}
