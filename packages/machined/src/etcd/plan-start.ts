import { machineTypeOf } from "@talos-ts/machinery/config";
import type { EtcdSpecSpec } from "@talos-ts/machinery/resources/etcd";
import type { EtcdServiceDependencies } from "./dependencies.ts";
import { isDataDirectoryEmpty } from "./data-directory.ts";
import { etcdArguments, newCluster, type InitialCluster } from "./etcd-arguments.ts";
import { joinCluster } from "./join-cluster.ts";
import { rememberLearner } from "./learner-file.ts";
import type { Learner } from "./promote-learner.ts";
import { clearRemovedLearner } from "./removed-learner.ts";
import { restoreSnapshot, type SnapshotRestore } from "./restore-snapshot.ts";

/** Describes how etcd is started when it has no data yet. */
export interface EtcdStart {
  /** Begins a cluster instead of waiting for one to join. @default {false} */
  readonly bootstrap?: boolean;
  /** Begins it with the contents of the uploaded snapshot. */
  readonly recover?: SnapshotRestore;
}

/** Describes what etcd is run with. */
export interface StartPlan {
  readonly args: readonly string[];
  /** The place in an existing cluster that this machine just took. */
  readonly learner?: Learner;
  /** Lets the next machine join; to be disposed once this one votes. */
  readonly turn?: AsyncDisposable;
}

/** Decides how etcd starts: with its data, with a snapshot, as the first member, or as one more. The last may take long. */
export async function planStart(
  machine: EtcdServiceDependencies,
  spec: EtcdSpecSpec,
  start: EtcdStart,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<StartPlan> {
  // Arguments that are refused are refused before anything is changed.
  etcdArguments(spec, undefined);
  if (start.recover !== undefined) await restoreSnapshot(machine, spec, start.recover, signal, report);
  await clearRemovedLearner(machine, signal);
  if (!(await isDataDirectoryEmpty(machine))) return { args: etcdArguments(spec, undefined) };
  const config = await machine.config.current();
  const isFirst = start.bootstrap === true || (config !== undefined && machineTypeOf(config) === "init");
  if (isFirst) return { args: etcdArguments(spec, newCluster(spec)) };
  const given = initialClusterOf(spec);
  if (given !== undefined) return { args: etcdArguments(spec, given) };
  report("Waiting to join an etcd cluster; the first control plane node needs `talosctl bootstrap`");
  const { initial, learner, turn } = await joinCluster(machine, spec, signal, report);
  await rememberLearner(machine, learner.id);
  return { args: etcdArguments(spec, initial), learner, turn };
}

/** A cluster that the extra arguments describe: nobody is asked for a place in it. */
function initialClusterOf({ extraArgs }: EtcdSpecSpec): InitialCluster | undefined {
  const members = extraArgs["initial-cluster"]?.values;
  return members === undefined ? undefined : { state: "existing", members };
}
