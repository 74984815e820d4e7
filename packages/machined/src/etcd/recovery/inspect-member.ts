import { describeError, OsError } from "@talos-ts/base";
import { findTyped } from "@talos-ts/cosi";
import { EtcdSpec, type EtcdSpecSpec } from "@talos-ts/machinery/resources/etcd";
import type { ServiceManager } from "../../services/service-manager.ts";
import { checkQuorum } from "../check-quorum.ts";
import { isDataDirectoryEmpty } from "../data-directory.ts";
import type { EtcdServiceDependencies } from "../dependencies.ts";
import { openLocalEtcdClient } from "../open-client.ts";
import { readKeptFacts } from "./kept-snapshot.ts";
import { readMemberFacts, type MemberFacts } from "./member-facts.ts";
import { withThrowAwayEtcd } from "./throw-away-etcd.ts";

/** Dependencies of recoveries. */
export interface RecoveryDependencies extends EtcdServiceDependencies {
  readonly services: ServiceManager;
}

/** State of the local member; the API describes each. */
export type MemberState = "running" | "waiting" | "stopped" | "snapshot" | "empty" | "unreadable";

export interface Inspected extends Partial<MemberFacts> {
  readonly state: MemberState;
  readonly quorum: boolean;
  readonly error?: string;
  /** State and last event of the service. */
  readonly service: string;
}

/** Time in which a member answers that is able to, in ms. */
const answerTimeoutMs = 3000;

/**
 * Reads the local member in the way that its state allows.
 *
 * @param answeringOnly Leaves data alone that only a throw-away etcd could read.
 */
export async function inspectMember(
  machine: RecoveryDependencies,
  { answeringOnly }: { readonly answeringOnly: boolean },
  signal: AbortSignal,
): Promise<Inspected> {
  const unit = machine.services.list().find(({ service }) => service.id === "etcd");
  const service = unit === undefined ? "" : `${unit.state}: ${unit.events.at(-1)?.message ?? ""}`;
  const running = await inspectRunning(machine, signal);
  if (running !== undefined) return { ...running, state: "running", service };
  const off = { quorum: false, service } as const;
  if (await isDataDirectoryEmpty(machine)) {
    const kept = await readKeptFacts(machine);
    return kept === undefined ? { ...off, state: "empty" } : { ...kept, ...off, state: "snapshot" };
  }
  const state = unit?.state === "running" ? "waiting" : "stopped";
  if (answeringOnly) return { ...off, state };
  try {
    const spec = await requireSpec(machine);
    const facts = await withThrowAwayEtcd(machine, spec, signal, async (etcd) => etcd.facts);
    return { ...facts, ...off, state };
  } catch (err) {
    signal.throwIfAborted();
    return { ...off, state: "unreadable", error: describeError(err) };
  }
}

/** Facts of a member that answers; `undefined` when it does not. */
async function inspectRunning(
  machine: RecoveryDependencies,
  signal: AbortSignal,
): Promise<(MemberFacts & { readonly quorum: boolean }) | undefined> {
  try {
    await using client = await openLocalEtcdClient(machine);
    await client.maintenance.status({}, { signal, timeoutMs: answerTimeoutMs });
    const facts = await readMemberFacts(client, signal);
    return { ...facts, quorum: await hasQuorum(machine, signal) };
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Says whether the local member answers through consensus. */
export async function hasQuorum(machine: RecoveryDependencies, signal: AbortSignal): Promise<boolean> {
  try {
    await using client = await openLocalEtcdClient(machine);
    await checkQuorum(client, signal, answerTimeoutMs);
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** @throws {OsError} `etcd/no-spec` */
export async function requireSpec({ state }: RecoveryDependencies): Promise<EtcdSpecSpec> {
  const spec = (await findTyped(state, EtcdSpec, EtcdSpec.id))?.spec;
  if (spec !== undefined) return spec;
  throw new OsError({
    kind: "failed-precondition",
    code: "etcd/no-spec",
    message: "failed to get etcd spec: it does not exist",
    next: "talosctl get etcdspec",
  });
}
