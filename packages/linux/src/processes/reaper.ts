import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ChildProcess } from "node:child_process";
import { errorMonitor } from "node:events";
import { libc } from "../ffi/libc.ts";
import type { ReapedOrphan, Reaper } from "./processes.ts";

const P_ALL = 0;
const P_PID = 1;
const WNOHANG = 1;
const WEXITED = 4;
const WNOWAIT = 0x01000000;
const CLD_EXITED = 1;
const SIGINFO = 128;

/** Published by Node whenever it makes a ChildProcess. */
const CHANNEL = "child_process";

interface Exit {
  readonly pid: number;
  readonly code: number;
  readonly status: number;
}

/** One look at the process table; `undefined` when no child is dead (or there is none). */
function waitid(kind: number, pid: number, options: number): Exit | undefined {
  const info = Buffer.alloc(SIGINFO);
  if (libc().functions.waitid(kind, pid, info, options) < 0) return undefined;
  const found = info.readInt32LE(12 + 4);
  return found === 0 ? undefined : { pid: found, code: info.readInt32LE(8), status: info.readInt32LE(24) };
}

export function startReaper(onReaped: (orphan: ReapedOrphan) => void = () => undefined): Reaper {
  const children = new Set<ChildProcess>();
  const claims = new Map<number, number>();

  const owned = (pid: number): boolean =>
    claims.has(pid) || children.values().some((child) => child.pid === pid && child.exitCode === null);

  /**
   * The kernel shows only the first dead child. When that one belongs to somebody else, the ones behind it have to wait
   * until its owner has taken it, and that owner's exit event looks again: nothing spins.
   */
  const scan = (): void => {
    for (;;) {
      const dead = waitid(P_ALL, 0, WEXITED | WNOHANG | WNOWAIT);
      if (dead === undefined || owned(dead.pid)) return;
      if (waitid(P_PID, dead.pid, WEXITED | WNOHANG) === undefined) return;
      const exited = dead.code === CLD_EXITED;
      onReaped({
        pid: dead.pid,
        exitCode: exited ? dead.status : undefined,
        signal: exited ? undefined : dead.status,
      });
    }
  };

  const track = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess };
    const done = (): void => {
      children.delete(child);
      setImmediate(scan);
    };
    children.add(child);
    child.once("exit", done);
    // A spawn that failed has no exit; watching it must not count as handling the error.
    child.once(errorMonitor, () => {
      if (child.pid === undefined) done();
    });
  };

  subscribe(CHANNEL, track);
  process.on("SIGCHLD", scan);
  scan();

  return {
    scan,
    claim(pid) {
      claims.set(pid, (claims.get(pid) ?? 0) + 1);
      let held = true;
      return {
        [Symbol.dispose]() {
          if (!held) return;
          held = false;
          const left = (claims.get(pid) ?? 1) - 1;
          if (left > 0) claims.set(pid, left);
          else claims.delete(pid);
          scan();
        },
      };
    },
    [Symbol.dispose]() {
      unsubscribe(CHANNEL, track);
      process.off("SIGCHLD", scan);
    },
  };
}
