import type { Linux } from "@talos-ts/linux";
import { paths } from "@talos-ts/machinery/constants";
import { createContainerdClient } from "../../containerd/client.ts";
import { readOnlyBind, systemContainerSpec, writableBind, type OciMount } from "../../containerd/oci-spec.ts";
import { daemonSeccomp } from "../../containerd/seccomp.ts";
import type { LogStore } from "../../logs/log-store.ts";
import { containerdRunner, fixedContent } from "../../runners/containerd.ts";
import { restartRunner } from "../../runners/restart.ts";
import type { Runner } from "../../runner.ts";
import type { RegisterProcess } from "../process-registrar.ts";
import { searchPath } from "../environment.ts";

/** Describes what the container of a daemon needs of the machine. */
export interface DaemonDependencies {
  readonly linux: Pick<Linux, "files">;
  readonly logs: LogStore;
  readonly registerProcess: RegisterProcess;
}

export interface DaemonOptions {
  readonly id: "apid" | "trustd";
  readonly uid: number;
  /** Directories of the host that hold the sockets it talks to. */
  readonly socketDirectories: readonly string[];
}

/** A root with nothing in it but mount points; the programs come from a bind of `/usr`. */
const daemonRoot = "/usr/share/talos/daemon-root";
/**
 * Flags for a small heap: a daemon holds certificates and open calls, and messages are outside of it. Measured, they cost no throughput;
 * a young generation of 2 MiB would cost a third of the calls and save nothing at rest, `--optimize-for-size` little more than nothing and a
 * third of the calls too.
 */
export const nodeFlags: readonly string[] = ["--max-old-space-size=64", "--max-semi-space-size=8", "--v8-pool-size=1"];

/** Three times what a daemon uses under the load of the attack suite; one that leaks is ended before the machine suffers. */
const memoryLimitBytes = 256 * 1024 * 1024;
/** Node.js has about a dozen threads. */
const maxProcesses = 64;

const scratch: readonly OciMount[] = ["/system", "/run"].map((destination) => ({
  destination,
  type: "tmpfs",
  source: "tmpfs",
  options: ["nosuid", "noexec", "nodev", "mode=755", "size=64k"],
}));

/** A daemon of ours in a container of the system containerd: its own user, no capability, nothing writable but its sockets. */
export function daemonRunner(machine: DaemonDependencies, options: DaemonOptions): Runner {
  const { id, uid } = options;
  const spec = () =>
    systemContainerSpec({
      id,
      args: ["/usr/bin/node", ...nodeFlags, `/usr/bin/${id}`],
      rootfs: daemonRoot,
      uid,
      gid: uid,
      env: { PATH: searchPath, MALLOC_ARENA_MAX: "1" },
      mounts: [
        readOnlyBind("/usr"),
        ...["/etc/hosts", "/etc/resolv.conf", "/etc/ssl"].map((path) => readOnlyBind(path)),
        ...scratch,
        ...options.socketDirectories.map((path) => writableBind(path)),
      ],
      cgroup: `/system/${id}`,
      memoryLimitBytes,
      maxProcesses,
      seccomp: daemonSeccomp,
    });
  const container = () =>
    containerdRunner({
      id,
      connect: () => createContainerdClient(paths.systemContainerdSocket, "system"),
      content: fixedContent(spec),
      log: machine.logs.open(id),
      ioDirectory: "/system/run/io",
      makeFifo: (path, mode) => machine.linux.files.makeFifo(path, mode),
      adopt: machine.registerProcess({ id, oomScoreAdjustment: -998 }),
      stopTimeoutMs: 15_000,
    });
  return restartRunner(container, { policy: "forever" });
}
