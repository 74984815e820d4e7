import { chown, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, OsError } from "@talos-ts/base";
import { userIds } from "@talos-ts/machinery/constants";
import { readMemberDatabase } from "@talos-ts/machinery/etcd";
import type { EtcdSpecSpec } from "@talos-ts/machinery/resources/etcd";
import { writableBind } from "../../containerd/oci-spec.ts";
import { imageRunner } from "../../runners/image.ts";
import type { EtcdServiceDependencies } from "../dependencies.ts";
import { createEtcdClient, type EtcdClient } from "../etcd-client.ts";
import { openLocalEtcdClient } from "../open-client.ts";
import { copyData, databaseFile } from "./copy-data.ts";
import { readMemberFacts, type MemberFacts } from "./member-facts.ts";
import { saveDatabase } from "./read-snapshot.ts";
import { recoveryFiles } from "./recovery-files.ts";

/** Id of the container; its log is under this name. */
const id = "etcd-recovery";
/** Time until it answers, in ms: it reads its whole log first. */
const startTimeoutMs = 5 * 60_000;
const pollMs = 100;
/** Time in which a member answers that runs, in ms. */
const answerTimeoutMs = 3000;

/** An etcd on a copy of the data of the local member. It has quorum by itself, and no network. */
export interface ThrowAwayEtcd {
  readonly client: EtcdClient;
  /** What the data says, from before this etcd changed it. */
  readonly facts: MemberFacts;
}

/**
 * Copies the data of the local member, starts an etcd on the copy that forgets all other members, and ends and removes both once `use`
 * is over. The member itself and its data are not touched.
 *
 * @throws {OsError} `etcd/unreadable-data` when etcd does not start with it
 */
export async function withThrowAwayEtcd<T>(
  machine: EtcdServiceDependencies,
  spec: EtcdSpecSpec,
  signal: AbortSignal,
  use: (etcd: ThrowAwayEtcd) => Promise<T>,
): Promise<T> {
  const folder = join(machine.root, recoveryFiles.throwAway);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) await chown(folder, userIds.etcd, userIds.etcd);
  await copyMember(machine, join(folder, "data"), signal);
  const database = await readMemberDatabase(join(folder, "data", databaseFile)).catch((err: unknown) => {
    throw unreadable(OsError.from(err).message, err);
  });

  let log = "";
  cleanup.use(machine.logs.listen((source, chunk) => void (log += source === id ? chunk.toString() : "")));
  const stop = new AbortController();
  const running = runner(machine, spec).run(() => undefined, AbortSignal.any([signal, stop.signal]));
  let ended: OsError | undefined;
  const over = running.then(
    () => void (ended = unreadable("etcd ended by itself")),
    (err: unknown) => void (ended = unreadable(reasonOf(log) ?? OsError.from(err).message)),
  );
  cleanup.defer(async () => {
    stop.abort();
    await over;
  });
  const client = cleanup.use(createEtcdClient({ endpoints: [`unix://${folder}/client.sock`] }));
  await untilItLeads(machine, client, signal, () => ended);
  const facts = await readMemberFacts(client, signal);
  const { members, term, appliedIndex } = database;
  return await use({
    client,
    facts: {
      ...facts,
      // It was elected in a term of its own, and has made entries of its own.
      raftTerm: facts.raftTerm > 0n ? facts.raftTerm - 1n : term,
      raftAppliedIndex: appliedIndex,
      uncommittedEntries: droppedEntries(log),
      members,
    },
  });
}

/** Copies the data; a member that answers writes its database itself. */
async function copyMember(machine: EtcdServiceDependencies, target: string, signal: AbortSignal): Promise<void> {
  await using running = await openAnswering(machine, signal);
  if (running === undefined) await copyData(machine, target, signal);
  else await copyData(machine, target, signal, (path) => saveDatabase(running, path, signal));
}

async function openAnswering(machine: EtcdServiceDependencies, signal: AbortSignal): Promise<EtcdClient | undefined> {
  await using stack = new AsyncDisposableStack();
  try {
    const client = stack.use(await openLocalEtcdClient(machine));
    await client.maintenance.status({}, { signal, timeoutMs: answerTimeoutMs });
    stack.move();
    return client;
  } catch {
    return undefined;
  }
}

function runner(machine: EtcdServiceDependencies, spec: EtcdSpecSpec) {
  const { throwAway: folder } = recoveryFiles;
  const quota = spec.extraArgs["quota-backend-bytes"]?.values.at(-1);
  return imageRunner(machine, {
    id,
    restart: "once",
    container: () => ({
      id,
      image: spec.image,
      args: [
        "/usr/local/bin/etcd",
        `--name=${spec.name}`,
        `--data-dir=${join(folder, "data")}`,
        "--force-new-cluster",
        `--listen-peer-urls=unix://${join(folder, "peer.sock")}`,
        `--listen-client-urls=unix://${join(folder, "client.sock")}`,
        // Must be a URL of TCP; nobody reads it.
        "--advertise-client-urls=http://127.0.0.1:2379",
        ...(quota === undefined ? [] : [`--quota-backend-bytes=${quota}`]),
      ],
      user: { uid: userIds.etcd, gid: userIds.etcd },
      // Without a network it cannot speak to the members that its data names.
      hostNamespaces: [],
      mounts: [writableBind(folder)],
      cgroup: "/podruntime/etcd-recovery",
    }),
  });
}

async function untilItLeads(
  { clock }: EtcdServiceDependencies,
  client: EtcdClient,
  signal: AbortSignal,
  ended: () => OsError | undefined,
): Promise<void> {
  const until = clock.monotonic() + startTimeoutMs;
  for (;;) {
    const status = await client.maintenance.status({}, { signal, timeoutMs: 5000 }).catch(() => undefined);
    if (status !== undefined && status.leader !== 0n) return;
    signal.throwIfAborted();
    const failure = ended();
    if (failure !== undefined) throw failure;
    if (clock.monotonic() > until)
      throw unreadable(`etcd did not answer within ${String(startTimeoutMs / 60_000)} min`);
    await clock.sleep(pollMs, signal);
  }
}

/** Objects that etcd logs, one per line. */
function entriesOf(log: string): readonly Readonly<Record<string, unknown>>[] {
  return log.split("\n").flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return isRecord(entry) ? [entry] : [];
    } catch {
      return [];
    }
  });
}

/** etcd tells it once, and nothing when there are none. */
function droppedEntries(log: string): bigint {
  const counts = entriesOf(log).map((entry) => entry["number-of-discarded-entries"]);
  return BigInt(counts.find((count) => typeof count === "number") ?? 0);
}

/** Why etcd ended, from the last line that is an error; a panic is followed by its stack. */
function reasonOf(log: string): string | undefined {
  const worst = new Set<unknown>(["error", "dpanic", "panic", "fatal"]);
  const entry = entriesOf(log).findLast(({ level }) => worst.has(level));
  if (entry !== undefined) return [entry["msg"], entry["error"]].filter((part) => typeof part === "string").join(": ");
  return log.split("\n").find((line) => line.startsWith("panic: "));
}

function unreadable(reason: string, cause?: unknown): OsError {
  return new OsError({
    kind: "data-loss",
    code: "etcd/unreadable-data",
    message: `A throw-away etcd does not start with a copy of the data: ${reason}`,
    next: `talosctl logs ${id}`,
    cause,
  });
}
