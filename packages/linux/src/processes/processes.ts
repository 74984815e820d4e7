import type { OsError } from "@talos-ts/base";
import type { Socket } from "node:net";

/** Resources of prlimit(2) by their kernel numbers. */
export const resources = {
  cpu: 0,
  fileSize: 1,
  data: 2,
  stack: 3,
  core: 4,
  residentSet: 5,
  processes: 6,
  openFiles: 7,
  lockedMemory: 8,
  addressSpace: 9,
  fileLocks: 10,
  pendingSignals: 11,
  messageQueues: 12,
  nice: 13,
  realtimePriority: 14,
  realtimeTime: 15,
} as const;

export type Resource = keyof typeof resources;

/** Soft and hard limit of a process (getrlimit(2)). */
export interface ResourceLimit {
  readonly soft: bigint | "unlimited";
  readonly hard: bigint | "unlimited";
}

/** A child nobody in this process started, taken off the process table. */
export interface ReapedOrphan {
  readonly pid: number;
  readonly exitCode: number | undefined;
  /** Number of the signal that ended it. */
  readonly signal: number | undefined;
}

/**
 * Takes orphans off the process table while libuv keeps reaping the children of `node:child_process`.
 *
 * Children started through `node:child_process` after the reaper are known by themselves; a child that is waited for in
 * any other way must be claimed.
 */
export interface Reaper extends Disposable {
  /** Leaves this pid alone until the claim is disposed. */
  claim(pid: number): Disposable;
  /** Looks for dead orphans now; SIGCHLD does this by itself. */
  scan(): void;
}

/** Process, user and group at the other end of a unix socket (`SO_PEERCRED`, unix(7)). */
export interface PeerCredentials {
  readonly pid: number;
  readonly uid: number;
  readonly gid: number;
}

/** True when a wish was granted; a refusal is a fact to report, not a failure. */
export type Granted = { readonly applied: true } | { readonly applied: false; readonly error: OsError };

/** Processes and what the kernel grants them. Errors have codes `process/<errno>`. */
export interface Processes {
  /** Signal 0 only asks whether the process is there. A negative pid is a process group. */
  kill(pid: number, signal: NodeJS.Signals | 0): void;
  /** Orphans below this process become its children, as if it were pid 1. */
  becomeSubreaper(): void;
  startReaper(onReaped?: (orphan: ReapedOrphan) => void): Reaper;
  limit(pid: number, resource: Resource): ResourceLimit;
  setLimit(pid: number, resource: Resource, limit: ResourceLimit): void;
  /** −1000 to 1000. Lowering it needs CAP_SYS_RESOURCE, which many machines withhold. */
  setOomScoreAdjustment(pid: number, score: number): Promise<Granted>;
  oomScoreAdjustment(pid: number): Promise<number>;
  /** Peer of a unix socket (SO_PEERCRED). */
  peerCredentials(socket: Socket): PeerCredentials;
}
