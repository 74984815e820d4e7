import { createChannel, createClient, Metadata, type Channel, type Client } from "@talos-ts/grpc";
import { Containers } from "@talos-ts/proto/containerd/services/containers";
import { Content } from "@talos-ts/proto/containerd/services/content";
import { Diff } from "@talos-ts/proto/containerd/services/diff";
import { Images } from "@talos-ts/proto/containerd/services/images";
import { Leases } from "@talos-ts/proto/containerd/services/leases";
import { Namespaces } from "@talos-ts/proto/containerd/services/namespaces";
import { Snapshots } from "@talos-ts/proto/containerd/services/snapshots";
import { Tasks } from "@talos-ts/proto/containerd/services/tasks";
import { Health } from "@talos-ts/proto/grpc/health";

/** The services of one namespace of one containerd that a node uses. */
export interface ContainerdServices {
  readonly containers: Client<typeof Containers>;
  readonly tasks: Client<typeof Tasks>;
  readonly images: Client<typeof Images>;
  readonly content: Client<typeof Content>;
  readonly snapshots: Client<typeof Snapshots>;
  readonly diff: Client<typeof Diff>;
  readonly leases: Client<typeof Leases>;
  readonly namespaces: Client<typeof Namespaces>;
  readonly health: Client<typeof Health>;
}

/** One namespace of one containerd, over its unix socket. */
export interface ContainerdClient extends ContainerdServices, AsyncDisposable {
  readonly namespace: string;
  /** The same services; what they create belongs to the lease and is not collected while it exists. */
  leased(lease: string): ContainerdServices;
}

export function createContainerdClient(socket: string, namespace: string): ContainerdClient {
  const channel: Channel = createChannel({ target: `unix://${socket}` });
  return {
    namespace,
    ...services(channel, { "containerd-namespace": namespace }),
    leased: (lease) => services(channel, { "containerd-namespace": namespace, "containerd-lease": lease }),
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  };
}

function services(channel: Channel, headers: Readonly<Record<string, string>>): ContainerdServices {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  const options = { metadata };
  return {
    containers: createClient(Containers, channel, options),
    tasks: createClient(Tasks, channel, options),
    images: createClient(Images, channel, options),
    content: createClient(Content, channel, options),
    snapshots: createClient(Snapshots, channel, options),
    diff: createClient(Diff, channel, options),
    leases: createClient(Leases, channel, options),
    namespaces: createClient(Namespaces, channel, options),
    health: createClient(Health, channel, options),
  };
}
