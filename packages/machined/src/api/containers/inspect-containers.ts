import { OsError } from "@talos-ts/base";
import { paths } from "@talos-ts/machinery/constants";
import { ContainerDriver } from "@talos-ts/proto/common/common";
import { Status } from "@talos-ts/proto/containerd/task_types";
import { createContainerdClient, type ContainerdClient } from "../../containerd/client.ts";
import type { Machine } from "../../machine.ts";

/** Which containers are meant: a namespace of containerd, asked directly or through the interface of the kubelet. */
export interface ContainersQuery {
  readonly namespace: string;
  readonly driver: ContainerDriver;
}

export interface InspectedContainer {
  /** What people call it: the id, or `namespace/pod[:container]` in Kubernetes. */
  readonly display: string;
  readonly internalId: string;
  readonly name: string;
  readonly podId: string;
  readonly image: string;
  readonly pid: number;
  readonly status: string;
  /** Path of its control group, if its specification names one. */
  readonly cgroup: string | undefined;
}

const systemNamespace = "system";

/** The containerd that has the namespace: the system's own, or the one of Kubernetes. */
export function connectContainerd(machine: Machine, { namespace, driver }: ContainersQuery): ContainerdClient {
  if (namespace === "") throw refused("namespace can't be empty");
  if (driver !== ContainerDriver.CONTAINERD) throw refused(`unsupported driver "${ContainerDriver[driver] ?? driver}"`);
  const socket = namespace === systemNamespace ? paths.systemContainerdSocket : paths.criContainerdSocket;
  return createContainerdClient(`${machine.root}${socket}`, namespace);
}

function refused(message: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "containers/bad-query",
    message,
    next: "talosctl containers",
  });
}

/** All containers that have a task; one without is only a description of something that is over or yet to come. */
export async function inspectContainers(
  client: ContainerdClient,
  signal: AbortSignal,
): Promise<readonly InspectedContainer[]> {
  const [{ containers }, { tasks }] = await Promise.all([
    client.containers.list({}, { signal }),
    client.tasks.list({}, { signal }),
  ]);
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
      image,
      pid: task.pid,
      status: Status[task.status] ?? "UNKNOWN",
      cgroup: cgroupOf(spec?.value),
    };
  });
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
