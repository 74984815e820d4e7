import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { helperMain, type HelperTask } from "./helper-main.ts";
import { namespaceKinds, type NamespaceCommand, type NamespaceKind } from "./namespaces.ts";

/** The user namespace decides who may enter the others; pid and mount go last. */
const order: readonly NamespaceKind[] = ["user", "cgroup", "ipc", "uts", "network", "pid", "mount"];

/**
 * Starts a command in other namespaces. Its fourth descriptor is the helper's report: nothing when the command was
 * started, JSON of a failure before that, or of how it ended where the helper stays its parent (pid namespaces).
 *
 * The child's pid is the command's, unless a pid namespace is involved.
 */
export function spawnInNamespaces(
  command: Omit<NamespaceCommand, "input">,
  stdio: readonly ["pipe" | "ignore" | "inherit", "pipe" | "ignore" | "inherit", "pipe" | "ignore" | "inherit"] = [
    "pipe",
    "pipe",
    "pipe",
  ],
): ChildProcess {
  const enter = order.flatMap((kind) => {
    const path = command.enter?.[kind];
    return path === undefined ? [] : [{ path, flag: namespaceKinds[kind].flag }];
  });
  const unshare = command.unshare ?? [];
  const task: HelperTask = {
    enter,
    unshare: unshare.reduce((flags, kind) => flags | namespaceKinds[kind].flag, 0),
    fork: unshare.includes("pid") || command.enter?.pid !== undefined,
    makePrivate: unshare.includes("mount"),
    command: command.command,
    arguments: command.arguments ?? [],
  };
  const script = `(${helperMain.toString()})()`;
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "-e", script, JSON.stringify(task)], {
    stdio: [...stdio, "pipe"] as StdioOptions,
    env: { ...(command.env ?? process.env) },
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    ...(command.signal === undefined ? {} : { signal: command.signal, killSignal: "SIGKILL" as const }),
  });
}
