import { OsError } from "@talos-ts/base";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { text as readAll } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { cString } from "../ffi/c-string.ts";
import { fileError, kernelError } from "../ffi/errno.ts";
import { callOnThread } from "../ffi/thread.ts";
import { mountFlags } from "../mounts/mount-options.ts";
import type { Mounts } from "../mounts/mounts.ts";
import type { Networks } from "../network/network.ts";
import type { HelperFailure } from "./helper-main.ts";
import { namespaceKinds, type CommandResult, type NamespaceCommand, type Namespaces } from "./namespaces.ts";
import { spawnInNamespaces } from "./spawn-in-namespaces.ts";

async function run(command: NamespaceCommand): Promise<CommandResult> {
  command.signal?.throwIfAborted();
  const child = spawnInNamespaces(command);
  child.stdin?.on("error", () => undefined); // the command may end without reading its input
  child.stdin?.end(command.input ?? "");
  const [stdout, stderr, report, [exitCode, signal]] = await Promise.all([
    readAll(child.stdout as Readable),
    readAll(child.stderr as Readable),
    readAll(child.stdio[3] as Readable),
    once(child, "close") as Promise<[number | null, string | null]>,
  ]).catch((err: unknown) => {
    throw OsError.from(err, "internal");
  });
  const said = report === "" ? undefined : (JSON.parse(report) as HelperFailure | Partial<CommandResult>);
  if (said !== undefined && "step" in said) {
    const action = `run "${command.command}" in other namespaces: cannot ${said.step}`;
    throw kernelError({ area: "namespace", action, errno: said.errno, details: { command: command.command } });
  }
  if (said !== undefined) return { exitCode: said.exitCode, signal: said.signal, stdout, stderr };
  return { exitCode: exitCode ?? undefined, signal: signal ?? undefined, stdout, stderr };
}

/** Namespaces of the running kernel. */
export function createLinuxNamespaces(mounts: Mounts, networks: Networks): Namespaces {
  return {
    run,
    async createNetwork(path) {
      const action = `create network namespace "${path}"`;
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, "", { flag: "wx" });
      } catch (err) {
        throw fileError("namespace", action, err);
      }
      const { failed } = await callOnThread([
        { name: "unshare", arguments: [namespaceKinds.network.flag] },
        {
          name: "mount",
          arguments: [cString("/proc/thread-self/ns/net"), cString(path), null, mountFlags.MS_BIND, null],
        },
      ]);
      if (failed !== undefined) {
        await rm(path, { force: true });
        throw kernelError({ area: "namespace", action, errno: failed.errno, details: { path } });
      }
      using network = await networks.open(path);
      await network.changeLink(1, { up: true });
    },
    async removeNetwork(path) {
      await mounts.unmount(path, { detach: true });
      await rm(path, { force: true });
    },
  };
}
