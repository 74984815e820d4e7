import { createChannel, createClient, Metadata, type Channel, type Client } from "@talos-ts/grpc";
import { Containers } from "@talos-ts/proto/containerd/services/containers";
import { Content } from "@talos-ts/proto/containerd/services/content";
import { Images } from "@talos-ts/proto/containerd/services/images";
import { Namespaces } from "@talos-ts/proto/containerd/services/namespaces";
import { Tasks } from "@talos-ts/proto/containerd/services/tasks";
import { Health } from "@talos-ts/proto/grpc/health";

/** One namespace of one containerd: the services a node uses, over its unix socket. */
export interface ContainerdClient extends AsyncDisposable {
  readonly namespace: string;
  readonly containers: Client<typeof Containers>;
  readonly tasks: Client<typeof Tasks>;
  readonly images: Client<typeof Images>;
  readonly content: Client<typeof Content>;
  readonly namespaces: Client<typeof Namespaces>;
  readonly health: Client<typeof Health>;
}

export function createContainerdClient(socket: string, namespace: string): ContainerdClient {
  const channel: Channel = createChannel({ target: `unix://${socket}` });
  const metadata = new Metadata();
  metadata.set("containerd-namespace", namespace);
  const options = { metadata };
  return {
    namespace,
    containers: createClient(Containers, channel, options),
    tasks: createClient(Tasks, channel, options),
    images: createClient(Images, channel, options),
    content: createClient(Content, channel, options),
    namespaces: createClient(Namespaces, channel, options),
    health: createClient(Health, channel, options),
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  };
}
