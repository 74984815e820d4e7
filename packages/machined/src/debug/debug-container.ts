import { randomBytes } from "node:crypto";
import { OsError, type Clock } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import { grantableCapabilities } from "../containerd/capabilities.ts";
import type { ContainerdClient } from "../containerd/client.ts";
import { ignoreAbsent } from "../containerd/ignore-absent.ts";
import { imageContainerSpec, type ImageContainer } from "../containerd/image-spec.ts";
import { createLease } from "../containerd/lease.ts";
import type { OciMount } from "../containerd/oci-spec.ts";
import { openTaskStreams } from "../containerd/task-streams.ts";
import type { ImageStore } from "../images/image-store.ts";
import type { ImageNamespace } from "../images/namespaces.ts";
import { snapshotter } from "../images/unpack.ts";

/** What a debug container is made of. */
export interface DebugContainerOptions {
  readonly namespace: ImageNamespace;
  /** Reference of an image that is on the machine. */
  readonly image: string;
  /** The whole command line. @default entry point and command of the image */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Gives it a terminal. */
  readonly tty: boolean;
}

export interface DebugDependencies {
  readonly images: ImageStore;
  readonly linux: Linux;
  readonly clock: Clock;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

/** A debug container that runs. Disposing kills it and removes everything that was made for it. */
export interface DebugContainer extends AsyncDisposable {
  readonly output: AsyncIterable<Uint8Array>;
  /** Settles with its exit status after all of the output. */
  readonly exited: Promise<number>;
  write(bytes: Uint8Array): Promise<void>;
  /** Nobody types any more: the end of the input, or for a terminal its hang-up. */
  endInput(): Promise<void>;
  signal(number: number): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
}

const signals = { hangUp: 1, kill: 9 } as const;
const specType = "types.containerd.io/opencontainers/runtime-spec/1/Spec";
/** Time for a killed container to be gone, in ms. */
const killTimeoutMs = 10_000;

/** The machine's files, and a pseudo-terminal file system of its own above the machine's `/dev`. */
const mounts: readonly OciMount[] = [
  { destination: "/host", type: "bind", source: "/", options: ["rbind", "rw"] },
  {
    destination: "/dev/pts",
    type: "devpts",
    source: "devpts",
    options: ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"],
  },
];

/**
 * Runs a container with every privilege, in the network, process and IPC namespaces of the machine, whose files are at `/host`.
 *
 * @throws `not-found` when the image is not on the machine
 */
export async function startDebugContainer(
  machine: DebugDependencies,
  options: DebugContainerOptions,
): Promise<DebugContainer> {
  const { namespace, tty } = options;
  const image = await machine.images.find(options.image, namespace);
  if (image === undefined) throw noImage(options);
  const id = `debug-${randomBytes(6).toString("hex")}`;
  const spec = imageContainerSpec(containerOf(id, options), image.config, await grantableCapabilities());

  await using cleanup = new AsyncDisposableStack();
  const client = cleanup.use(machine.images.connect(namespace));
  const lease = cleanup.use(await createLease(client, id, machine.clock));
  const streams = cleanup.use(
    await openTaskStreams({
      directory: `${machine.root}/system/run/io`,
      id,
      makeFifo: (path, mode) => machine.linux.files.makeFifo(path, mode),
    }),
  );
  cleanup.defer(() => ignoreAbsent(() => client.snapshots.remove({ snapshotter, key: id })));
  const rootfs = await lease.services.snapshots.prepare({ snapshotter, key: id, parent: image.chainId });
  cleanup.defer(() => ignoreAbsent(() => client.containers.delete({ id })));
  await client.containers.create({
    container: {
      id,
      labels: { "talos.dev/debug": "true" },
      runtime: { name: "io.containerd.runc.v2" },
      spec: { typeUrl: specType, value: Buffer.from(JSON.stringify(spec)) },
      image: image.name,
      snapshotter,
      snapshotKey: id,
    },
  });
  cleanup.defer(() => removeTask(client, id));
  const { stdin, stdout } = streams;
  await client.tasks.create({
    containerId: id,
    stdin,
    stdout,
    // A terminal has one output; without one the errors go the same way, as the API has no other.
    stderr: tty ? "" : stdout,
    terminal: tty,
    rootfs: rootfs.mounts,
  });
  await client.tasks.start({ containerId: id });
  const exited = waitForExit(client, id, () => streams.finish());
  // Told to who asks; a container that is disposed before has nobody to tell.
  exited.catch(() => undefined);
  const owned = cleanup.move();
  return {
    output: streams.output,
    exited,
    write: (bytes) => streams.write(bytes),
    async endInput() {
      streams.endInput();
      if (tty) return send(client, id, signals.hangUp);
      await ignoreAbsent(() => client.tasks.closeIO({ containerId: id, stdin: true }));
    },
    signal: (number) => send(client, id, number),
    resize: (width, height) => ignoreAbsent(() => client.tasks.resizePty({ containerId: id, width, height })),
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

function containerOf(id: string, { image, args, env, tty }: DebugContainerOptions): ImageContainer {
  return {
    id,
    image,
    ...(args.length > 0 && { args }),
    env: { ...(tty && { TERM: "xterm" }), ...env },
    mounts,
    hostNamespaces: ["network", "pid", "ipc"],
    privileged: true,
    unconfined: true,
    terminal: tty,
    cgroup: `/system/debug/${id}`,
  };
}

const send = (client: ContainerdClient, containerId: string, signal: number): Promise<void> =>
  ignoreAbsent(() => client.tasks.kill({ containerId, signal }));

async function waitForExit(client: ContainerdClient, containerId: string, finish: () => void): Promise<number> {
  try {
    const { exitStatus } = await client.tasks.wait({ containerId });
    // The shim has passed on all output once its task is deleted.
    await ignoreAbsent(() => client.tasks.delete({ containerId }));
    return exitStatus;
  } finally {
    finish();
  }
}

/** Kills what runs and removes the task; one that is gone is fine. */
async function removeTask(client: ContainerdClient, containerId: string): Promise<void> {
  await ignoreAbsent(async () => {
    await client.tasks.kill({ containerId, signal: signals.kill, all: true });
    await client.tasks.wait({ containerId }, { timeoutMs: killTimeoutMs });
  });
  await ignoreAbsent(() => client.tasks.delete({ containerId }));
}

function noImage({ image, namespace }: DebugContainerOptions): OsError {
  return new OsError({
    kind: "not-found",
    code: "debug/no-image",
    message: `image ${image} not found in the namespace ${namespace}`,
    next: `talosctl image pull --namespace ${namespace} ${image}`,
  });
}
