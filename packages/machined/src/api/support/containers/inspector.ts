import { OsError } from "@talos-ts/base";

export interface InspectedContainer {
  /** Name for people: the id, or `namespace/pod[:container[:id]]` in Kubernetes. */
  readonly display: string;
  readonly internalId: string;
  readonly name: string;
  readonly podId: string;
  /** Unique id of a pod; empty for everything else. */
  readonly uid: string;
  readonly image: string;
  readonly pid: number;
  readonly status: string;
  readonly networkNamespace: string;
  /** True for the sandbox that a pod's containers live in. */
  readonly isSandbox: boolean;
  /** File with what it prints; empty if it is kept elsewhere. */
  readonly logPath: string;
}

export interface ContainerUsage {
  readonly memoryBytes: bigint;
  readonly cpuNanoseconds: bigint;
}

/** One way to ask for containers. */
export interface ContainerInspector extends AsyncDisposable {
  list(signal: AbortSignal): Promise<readonly InspectedContainer[]>;
  /** Resource usage by internal id of the container; one that was not measured is missing. */
  usage(signal: AbortSignal): Promise<ReadonlyMap<string, ContainerUsage>>;
  /** Asks a container to end. */
  stop(container: InspectedContainer, signal: AbortSignal): Promise<void>;
}

/** Says which service has to run for the containers to be seen. */
export function unreachable(service: "containerd" | "cri", err: unknown): OsError {
  const { kind, message } = OsError.from(err);
  return new OsError({
    kind,
    code: "containers/unreachable",
    message: `Cannot list containers: ${message}`,
    next: `talosctl service ${service}`,
    cause: err,
  });
}

/**
 * The container that a person means: by either id, or by a name without the part behind its last colon; of several one that runs.
 * @throws not found
 */
export function findContainer(containers: readonly InspectedContainer[], id: string): InspectedContainer {
  const exact = containers.find(({ display, internalId }) => display === id || internalId === id);
  const similar = containers.filter(({ display }) => id.includes(":") && display.startsWith(id));
  const found = exact ?? similar.find(({ status }) => status.endsWith("RUNNING")) ?? similar[0];
  if (found !== undefined) return found;
  throw new OsError({
    kind: "not-found",
    code: "containers/not-found",
    message: `container "${id}" not found`,
    next: id.includes("/") ? "talosctl containers -k" : "talosctl containers",
  });
}
