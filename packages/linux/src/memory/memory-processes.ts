import type { Socket } from "node:net";
import { constants } from "node:os";
import { errnoNumber, kernelError } from "../ffi/errno.ts";
import { createOomScores } from "../processes/oom-score.ts";
import type {
  PeerCredentials,
  Processes,
  ReapedOrphan,
  Reaper,
  Resource,
  ResourceLimit,
} from "../processes/processes.ts";
import type { MemoryTextFiles } from "./text-files.ts";

/** A process as a test puts it into the in-memory kernel. */
export interface MemoryProcessInit {
  readonly executable: string;
  readonly arguments?: readonly string[];
  /** Nobody in this process waits for it, so a reaper takes it. @default {false} */
  readonly orphan?: boolean;
}

export interface MemoryProcesses extends Processes {
  start(init: MemoryProcessInit): number;
  end(pid: number, how: { readonly exitCode?: number; readonly signal?: number }): void;
  has(pid: number): boolean;
  setPeer(socket: Socket, credentials: PeerCredentials): void;
  /** Called when a process has died. */
  onEnd(callback: (pid: number) => void): void;
}

interface Entry {
  readonly orphan: boolean;
  readonly limits: Map<Resource, ResourceLimit>;
  dead: ReapedOrphan | undefined;
}

/** Signals that do not end a process by themselves. */
const harmless: ReadonlySet<string | number> = new Set([0, "SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGSTOP"]);

export interface MemoryProcessesOptions {
  readonly files: MemoryTextFiles;
  /** True when negative OOM scores are granted. @default {true} */
  readonly mayLowerOomScore?: boolean;
}

export function createMemoryProcesses({ files, mayLowerOomScore = true }: MemoryProcessesOptions): MemoryProcesses {
  const table = new Map<number, Entry>();
  const reapers = new Set<Reaper>();
  const peers = new WeakMap<Socket, PeerCredentials>();
  const ended = new Set<(pid: number) => void>();
  let nextPid = 100;

  const folder = (pid: number): string => `/proc/${String(pid)}`;
  const entryOf = (pid: number, action: string): Entry => {
    const entry = table.get(pid);
    if (entry === undefined) throw kernelError({ area: "process", action, errno: "ESRCH", details: { pid } });
    return entry;
  };
  const forget = (pid: number): void => {
    table.delete(pid);
    for (const path of files.tree.keys()) if (path.startsWith(`${folder(pid)}/`)) files.tree.delete(path);
  };
  const end: MemoryProcesses["end"] = (pid, { exitCode, signal }) => {
    const entry = entryOf(pid, `end process ${String(pid)}`);
    if (entry.dead !== undefined) return;
    entry.dead = { pid, exitCode: signal === undefined ? (exitCode ?? 0) : undefined, signal };
    if (!entry.orphan) forget(pid);
    for (const callback of ended) callback(pid);
    for (const reaper of reapers) reaper.scan();
  };

  return {
    ...createOomScores(files),
    start({ executable, arguments: args = [], orphan = false }) {
      const pid = nextPid++;
      table.set(pid, { orphan, limits: new Map(), dead: undefined });
      const name = executable.slice(executable.lastIndexOf("/") + 1).slice(0, 15);
      const stat = `${String(pid)} (${name}) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 ${String(pid)} 4194304 256 0 0 0\n`;
      files.tree.set(`${folder(pid)}/stat`, stat);
      files.tree.set(`${folder(pid)}/cmdline`, `${[executable, ...args].join("\0")}\0`);
      files.tree.set(`${folder(pid)}/exe`, { linkTo: executable });
      let score = 0;
      files.tree.set(`${folder(pid)}/oom_score_adj`, {
        read: () => `${String(score)}\n`,
        write(text) {
          const wanted = Number(text);
          const action = `write "${folder(pid)}/oom_score_adj"`;
          if (!Number.isInteger(wanted) || Math.abs(wanted) > 1000)
            throw kernelError({ area: "file", action, errno: "EINVAL" });
          if (wanted < score && !mayLowerOomScore) throw kernelError({ area: "file", action, errno: "EACCES" });
          score = wanted;
        },
      });
      return pid;
    },
    end,
    has: (pid) => table.get(pid)?.dead === undefined && table.has(pid),
    onEnd: (callback) => void ended.add(callback),
    setPeer: (socket, credentials) => void peers.set(socket, credentials),

    kill(pid, signal) {
      entryOf(pid, `send ${String(signal)} to process ${String(pid)}`);
      if (harmless.has(signal)) return;
      end(pid, { signal: constants.signals[signal as NodeJS.Signals] });
    },
    becomeSubreaper: () => undefined,
    startReaper(onReaped = () => undefined) {
      const claims = new Set<number>();
      const reaper: Reaper = {
        scan() {
          for (const [pid, { dead }] of table) {
            if (dead === undefined || claims.has(pid)) continue;
            forget(pid);
            onReaped(dead);
          }
        },
        claim(pid) {
          claims.add(pid);
          return {
            [Symbol.dispose]() {
              if (claims.delete(pid)) reaper.scan();
            },
          };
        },
        [Symbol.dispose]: () => void reapers.delete(reaper),
      };
      reapers.add(reaper);
      reaper.scan();
      return reaper;
    },
    limit(pid, resource) {
      const { limits } = entryOf(pid, `read limit "${resource}" of process ${String(pid)}`);
      return limits.get(resource) ?? { soft: 1024n, hard: 1_048_576n };
    },
    setLimit(pid, resource, limit) {
      const action = `set limit "${resource}" of process ${String(pid)} to ${String(limit.soft)}:${String(limit.hard)}`;
      const { limits } = entryOf(pid, action);
      const rank = (value: bigint | "unlimited"): bigint => (value === "unlimited" ? 1n << 64n : value);
      if (rank(limit.soft) > rank(limit.hard)) {
        throw kernelError({ area: "process", action, errno: errnoNumber("EINVAL"), details: { pid, resource } });
      }
      limits.set(resource, limit);
    },
    peerCredentials(socket) {
      const credentials = peers.get(socket);
      if (credentials !== undefined) return credentials;
      throw kernelError({ area: "process", action: "read the peer of a unix socket", errno: "ENOTSOCK" });
    },
  };
}
