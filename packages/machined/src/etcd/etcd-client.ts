import { createChannel, createClient, type Client, type ClientTlsMaterial } from "@talos-ts/grpc";
import { Lock } from "@talos-ts/proto/etcd/lock";
import { Cluster, KV, Lease, Maintenance, Watch } from "@talos-ts/proto/etcd/rpc";

/** The etcd v3 API over mutual TLS, for one member or for several equal ones. */
export interface EtcdClient extends AsyncDisposable {
  /** `host:port` of every member that calls may go to. */
  readonly endpoints: readonly string[];
  readonly kv: Client<typeof KV>;
  readonly watch: Client<typeof Watch>;
  readonly lease: Client<typeof Lease>;
  readonly lock: Client<typeof Lock>;
  readonly cluster: Client<typeof Cluster>;
  readonly maintenance: Client<typeof Maintenance>;
}

export interface EtcdClientOptions {
  /** `host:port`, or `unix:///path`; calls go to the first one that answers, in a random order. */
  readonly endpoints: readonly string[];
  /** Trusted CA and client certificate, in PEM. @default none, for a unix socket */
  readonly tls?: ClientTlsMaterial;
}

/** Members answer only while they know a leader, so that a cut-off member fails at once instead of answering from its past. */
export const requireLeader = { metadata: { hasleader: "true" } } as const;

/** Until a member has accepted the connection, milliseconds. */
const connectTimeoutMs = 5000;
/** One record of etcd may have 1.5 MiB by default; a list of them has many. */
const maxReceiveBytes = 64 * 1024 * 1024;

/** Opens a client; the first call connects. */
export function createEtcdClient({ endpoints, tls }: EtcdClientOptions): EtcdClient {
  const channel = createChannel({
    targets: endpoints,
    // etcd accepts TLS 1.2 as well, but both ends are ours.
    ...(tls !== undefined && { tls: { material: tls } }),
    connectTimeoutMs,
    maxReceiveBytes,
    // A member that has just started answers soon.
    backoff: { initialMs: 100, maxMs: 3000 },
  });
  return {
    endpoints,
    kv: createClient(KV, channel),
    watch: createClient(Watch, channel),
    lease: createClient(Lease, channel),
    lock: createClient(Lock, channel),
    cluster: createClient(Cluster, channel),
    maintenance: createClient(Maintenance, channel),
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  };
}
