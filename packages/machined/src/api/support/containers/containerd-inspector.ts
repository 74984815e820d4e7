import type { Linux } from "@talos-ts/linux";
import { constants } from "node:os";
import { paths } from "@talos-ts/machinery/constants";
import { Status } from "@talos-ts/proto/containerd/task_types";
import { createContainerdClient } from "../../../containerd/client.ts";
import { unreachable, type ContainerInspector, type ContainerUsage, type InspectedContainer } from "./inspector.ts";

interface Known extends InspectedContainer {
  /** Path of its control group, if its specification names one. */
  readonly cgroup: string | undefined;
}

/** Asks containerd itself: the system's own, or the one of Kubernetes for every other namespace. */
export function createContainerdInspector(
  machine: { readonly linux: Linux; readonly root: string },
  namespace: string,
): ContainerInspector {
  const isSystem = namespace === "system";
  const socket = isSystem ? paths.systemContainerdSocket : paths.criContainerdSocket;
  const client = createContainerdClient(`${machine.root}${socket}`, namespace);

  /** A container without a task is only a description of something that is over or yet to come. */
  async function list(signal: AbortSignal): Promise<readonly Known[]> {
    const [{ containers }, { tasks }] = await Promise.all([
      client.containers.list({}, { signal }),
      client.tasks.list({}, { signal }),
    ]).catch((err: unknown) => {
      throw unreachable(isSystem ? "containerd" : "cri", err);
    });
    const taskOf = new Map(tasks.map((task) => [task.id, task]));
    return containers.flatMap(({ id, image, labels, spec }) => {
      const task = taskOf.get(id);
      if (task === undefined) return [];
      const pod = labels["io.kubernetes.pod.name"];
      const podNamespace = labels["io.kubernetes.pod.namespace"];
      const podId = pod !== undefined && podNamespace !== undefined ? `${podNamespace}/${pod}` : id;
      const name = labels["io.kubernetes.container.name"];
      return {
        display: name === undefined ? podId : `${podId}:${name}`,
        internalId: id,
        name: name ?? id,
        podId,
        uid: "",
        image,
        pid: task.pid,
        status: Status[task.status] ?? "UNKNOWN",
        networkNamespace: "",
        isSandbox: pod !== undefined && name === undefined,
        logPath: "",
        cgroup: cgroupOf(spec?.value),
      };
    });
  }

  return {
    list,
    async usage(signal) {
      const cgroups = await machine.linux.cgroups();
      const found = new Map<string, ContainerUsage>();
      for (const { internalId, cgroup } of await list(signal)) {
        if (cgroup === undefined) continue;
        // A container may end while it is measured.
        const stats = await cgroups.stats(cgroup).catch(() => undefined);
        if (stats === undefined) continue;
        const cpuNanoseconds = (stats.cpuMicroseconds ?? 0n) * 1000n;
        found.set(internalId, { memoryBytes: stats.memoryBytes ?? 0n, cpuNanoseconds });
      }
      return found;
    },
    async stop({ internalId }, signal) {
      await client.tasks.kill({ containerId: internalId, signal: constants.signals.SIGTERM }, { signal });
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** Containerd keeps the OCI specification as JSON. */
function cgroupOf(spec: Uint8Array | undefined): string | undefined {
  if (spec === undefined) return undefined;
  try {
    const parsed = JSON.parse(Buffer.from(spec).toString()) as { readonly linux?: { readonly cgroupsPath?: unknown } };
    const path = parsed.linux?.cgroupsPath;
    return typeof path === "string" && path.startsWith("/") ? path : undefined;
  } catch {
    return undefined;
  }
}
