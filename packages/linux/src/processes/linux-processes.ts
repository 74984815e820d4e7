import { OsError } from "@talos-ts/base";
import type { Socket } from "node:net";
import { fileError, kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import type { TextFiles } from "../files/text-files.ts";
import { createOomScores } from "./oom-score.ts";
import { resources, type PeerCredentials, type Processes, type ResourceLimit } from "./processes.ts";
import { startReaper } from "./reaper.ts";

const PR_SET_CHILD_SUBREAPER = 36;
const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
const UNLIMITED = 0xffff_ffff_ffff_ffffn;

const readLimit = (value: bigint): bigint | "unlimited" => (value === UNLIMITED ? "unlimited" : value);
const writeLimit = (value: bigint | "unlimited"): bigint => (value === "unlimited" ? UNLIMITED : value);

function prlimit(pid: number, resource: keyof typeof resources, limit: ResourceLimit | undefined): ResourceLimit {
  const old = Buffer.alloc(16);
  let wanted: Buffer | null = null;
  if (limit !== undefined) {
    wanted = Buffer.alloc(16);
    wanted.writeBigUInt64LE(writeLimit(limit.soft), 0);
    wanted.writeBigUInt64LE(writeLimit(limit.hard), 8);
  }
  if (libc().functions.prlimit64(pid, resources[resource], wanted, old) < 0) {
    const errno = libc().errno();
    const values = limit === undefined ? "" : ` to ${String(limit.soft)}:${String(limit.hard)}`;
    const action = `${limit === undefined ? "read" : "set"} limit "${resource}" of process ${String(pid)}${values}`;
    throw kernelError({ area: "process", action, errno, details: { pid, resource } });
  }
  return { soft: readLimit(old.readBigUInt64LE(0)), hard: readLimit(old.readBigUInt64LE(8)) };
}

/** The descriptor of a connected socket, which Node keeps to itself. */
function descriptorOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly fd?: number } | null };
  const fd = handle?.fd;
  if (typeof fd === "number" && fd >= 0) return fd;
  throw new OsError({
    kind: "failed-precondition",
    code: "process/no-descriptor",
    message: "Cannot read the peer of a socket that is not connected",
  });
}

function peerCredentials(socket: Socket): PeerCredentials {
  const credentials = Buffer.alloc(12);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(credentials.length);
  const fd = descriptorOf(socket);
  if (libc().functions.getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, length) < 0) {
    throw kernelError({ area: "process", action: "read the peer of a unix socket", errno: libc().errno() });
  }
  return { pid: credentials.readInt32LE(0), uid: credentials.readUInt32LE(4), gid: credentials.readUInt32LE(8) };
}

export function createLinuxProcesses(files: TextFiles): Processes {
  return {
    ...createOomScores(files),
    kill(pid, signal) {
      try {
        process.kill(pid, signal);
      } catch (err) {
        throw fileError("process", `send ${String(signal)} to process ${String(pid)}`, err);
      }
    },
    becomeSubreaper() {
      if (libc().functions.prctl(PR_SET_CHILD_SUBREAPER, 1n, 0n, 0n, 0n) < 0) {
        throw kernelError({ area: "process", action: "become the reaper of orphans", errno: libc().errno() });
      }
    },
    startReaper,
    limit: (pid, resource) => prlimit(pid, resource, undefined),
    setLimit: (pid, resource, limit) => void prlimit(pid, resource, limit),
    peerCredentials,
  };
}
