import { chown, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { OsError } from "@talos-ts/base";
import { paths, userIds } from "@talos-ts/machinery/constants";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import type { ConfigStore } from "../../../config-store.ts";
import type { MachineMethod } from "./method.ts";

/** Describes what an upload needs of the machine. */
export interface RecoverDependencies {
  readonly config: ConfigStore;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

/** Keeps an uploaded snapshot for the bootstrap that follows; an upload that breaks off leaves nothing. */
export const etcdRecover =
  (machine: RecoverDependencies): MachineMethod<"etcdRecover"> =>
  async (requests) => {
    const path = `${machine.root}${paths.etcdRecoverySnapshot}`;
    await requireControlPlane(machine, "etcd recover");
    if ((await stat(dirname(path)).catch(() => undefined)) === undefined) throw notReady();
    try {
      await using file = await open(path, "w", 0o600);
      for await (const { bytes } of requests) await file.writeFile(bytes);
      await file.sync();
    } catch (err) {
      await rm(path, { force: true });
      throw err;
    }
    // The program that restores it runs as the user of etcd. Only root may give files away; tests run as they are.
    if (process.getuid?.() === 0) await chown(path, userIds.etcd, userIds.etcd);
    return { messages: [{}] };
  };

function notReady(): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "etcd/not-ready-for-recovery",
    message: "etcd service is not ready for recovery yet",
    next: "talosctl service etcd",
  });
}
