import type { Clock } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import { createContainerdClient, type ContainerdClient } from "../containerd/client.ts";
import { grantableCapabilities } from "../containerd/capabilities.ts";
import { ignoreAbsent } from "../containerd/ignore-absent.ts";
import { imageContainerSpec, type ImageContainer } from "../containerd/image-spec.ts";
import { createLease } from "../containerd/lease.ts";
import type { ImageStore } from "../images/image-store.ts";
import { imageNamespaces } from "../images/namespaces.ts";
import { snapshotter } from "../images/unpack.ts";
import type { LogStore } from "../logs/log-store.ts";
import type { RegisterProcess } from "../services/process-registrar.ts";
import { containerdRunner, type ContentProvider } from "./containerd.ts";
import { restartRunner, type RestartPolicy } from "./restart.ts";
import type { Runner } from "../runner.ts";

/** Describes what the runner needs of the machine. */
export interface ImageRunnerDependencies {
  readonly linux: Linux;
  readonly clock: Clock;
  readonly logs: LogStore;
  readonly images: ImageStore;
  readonly registerProcess: RegisterProcess;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

export interface ImageRunnerOptions {
  readonly id: string;
  /** Asked at every start, so that a restart takes new arguments. */
  readonly container: () => ImageContainer | Promise<ImageContainer>;
  /** −1000 to 1000; lower is killed later. */
  readonly oomScoreAdjustment?: number;
  /** @default {"forever"} */
  readonly restart?: RestartPolicy;
  /** Between SIGTERM and SIGKILL. @default {10_000} */
  readonly stopTimeoutMs?: number;
}

/** Namespace of the images of services. */
const namespace = "system";

/**
 * Runs a service as a container made from an image, in the namespace `system` of the containerd of Kubernetes.
 *
 * An image that is not here is pulled first, again and again, and the history of the service tells so. Each run gets a fresh
 * snapshot: nothing that it writes outside of its mounts is there at the next start. What an earlier run left behind, also one that
 * ended with this process, is removed first.
 *
 * ```ts
 * runner: () => imageRunner(machine, {
 *   id: "etcd",
 *   oomScoreAdjustment: -990,
 *   container: () => ({
 *     id: "etcd",
 *     image: "registry.k8s.io/etcd:v3.6.6",
 *     args: ["/usr/local/bin/etcd", "--name=cp-1"],
 *     user: { uid: 60, gid: 60 },
 *     mounts: [writableBind("/var/lib/etcd"), readOnlyBind("/system/secrets/etcd")],
 *     cgroup: "/podruntime/etcd",
 *   }),
 * })
 * ```
 */
export function imageRunner(machine: ImageRunnerDependencies, options: ImageRunnerOptions): Runner {
  const { id, oomScoreAdjustment, restart = "forever", stopTimeoutMs } = options;
  const { socket, namespace: name } = imageNamespaces[namespace];
  const run = (): Runner =>
    containerdRunner({
      id,
      connect: () => createContainerdClient(`${machine.root}${socket}`, name),
      content: imageContent(machine, options),
      log: machine.logs.open(id),
      ioDirectory: `${machine.root}/system/run/io`,
      makeFifo: (path, mode) => machine.linux.files.makeFifo(path, mode),
      adopt: machine.registerProcess({ id, ...(oomScoreAdjustment === undefined ? {} : { oomScoreAdjustment }) }),
      ...(stopTimeoutMs === undefined ? {} : { stopTimeoutMs }),
      clock: machine.clock,
    });
  return restartRunner(run, { policy: restart, clock: machine.clock });
}

/** A snapshot of the image with the name of the service, and the specification made from both. */
function imageContent(
  machine: ImageRunnerDependencies,
  { id, container: describe }: ImageRunnerOptions,
): ContentProvider {
  return {
    async provide(client, report, signal) {
      const container = await describe();
      const image = await machine.images.ensure(container.image, {
        namespace,
        signal,
        report: (message) => report("preparing", message),
      });
      await using cleanup = new AsyncDisposableStack();
      // Nothing refers to the snapshot until the container exists.
      const lease = cleanup.use(await createLease(client, `run-${id}`, machine.clock));
      const { mounts } = await lease.services.snapshots.prepare({ snapshotter, key: id, parent: image.chainId });
      const spec = imageContainerSpec(container, image.config, await grantableCapabilities());
      const owned = cleanup.move();
      return {
        spec,
        root: { image: image.name, snapshotter, snapshotKey: id, mounts },
        [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
      };
    },
    clean: (client: ContainerdClient) => ignoreAbsent(() => client.snapshots.remove({ snapshotter, key: id })),
  };
}
