/** Names and numbers that both sides of the API agree on. */
import { buildInfo } from "./build.ts";

/** The release whose API and texts are spoken. */
export const talosVersion = "v1.13.9";
/** The version that a machine says it is. */
export const systemVersion = buildInfo.version ?? talosVersion;
/** Version of Kubernetes that is configured unless another one is asked for. */
export const defaultKubernetesVersion = "1.36.4";

export { buildInfo, type BuildInfo } from "./build.ts";
export { imageRepositories, imageTags } from "./images.ts";
export { metaKeyId, metaKeys } from "./meta-keys.ts";
export { metadataKeys } from "./metadata-keys.ts";
export {
  forwarderFactor,
  maxCallsPerCaller,
  maxRequestBytesPerCaller,
  requestBounds,
  type RequestBounds,
} from "./request-bounds.ts";
export { platformModes, type PlatformMode } from "./platform-mode.ts";
export { systemVolumes } from "./volumes.ts";
export * from "./kubernetes.ts";

/** TCP port of apid. */
export const apidPort = 50_000;
/** TCP port of trustd. */
export const trustdPort = 50_001;
/** TCP port of KubePrism on the loopback address. */
export const kubePrismPort = 7445;
/** TCP port of the Kubernetes API. */
export const defaultControlPlanePort = 6443;
/** TCP port of etcd for clients. */
export const etcdClientPort = 2379;
/** TCP port of etcd for its members. */
export const etcdPeerPort = 2380;
/** Address of the registry of the image cache, for the node alone. */
export const registrydPort = 3172;

/** Folders with image layouts, in the order they are searched. */
export const imageCacheRoots = ["/system/imagecache/iso", "/system/imagecache/disk"] as const;

/** Pod subnets that are configured unless others are asked for. */
export const defaultPodSubnets = { ipv4: "10.244.0.0/16", ipv6: "fc00:db8:10::/56" } as const;
/** Service subnets that are configured unless others are asked for. */
export const defaultServiceSubnets = { ipv4: "10.96.0.0/12", ipv6: "fc00:db8:20::/112" } as const;
/** DNS domain of the cluster that is configured unless another one is asked for. */
export const defaultDnsDomain = "cluster.local";
/** Discovery service that is configured unless another one is asked for. */
export const defaultDiscoveryEndpoint = "https://discovery.talos.dev/";

/** Users that daemons run as. */
export const userIds = { apid: 50, trustd: 51, dashboard: 52, etcd: 60 } as const;

/** Paths on a node that several programs use. */
export const paths = {
  machinedSocket: "/run/machined/machined.sock",
  apidRuntimeSocket: "/system/run/apid/runtime.sock",
  trustdRuntimeSocket: "/system/run/trustd/runtime.sock",
  /** Socket of the health service of each daemon. */
  apidHealthSocket: "/system/run/apid/health.sock",
  trustdHealthSocket: "/system/run/trustd/health.sock",
  systemContainerdSocket: "/system/run/containerd/containerd.sock",
  criContainerdSocket: "/run/containerd/containerd.sock",
  inContainerMarker: "/usr/etc/in-container",
  /** Folder by which a machine and the host that runs it tell each other how runs ended. */
  power: "/system/power",
  state: "/system/state",
  config: "/system/state/config.yaml",
  nodeIdentity: "/system/state/node-identity.yaml",
  etcdPki: "/system/secrets/etcd",
  etcdData: "/var/lib/etcd",
  /** Id of the learner that the data directory belongs to, until it votes. */
  etcdLearner: "/var/lib/etcd.learner",
  /** An uploaded snapshot waits here for `bootstrap`. */
  etcdRecoverySnapshot: "/var/lib/etcd.snapshot",
  /** Copies of the data directory, and the snapshot that the last recovery took before it replaced the data. */
  etcdRecovery: "/var/lib/etcd.recovery",
  /** `resolv.conf` of pods that use the resolvers of the node. */
  podResolvConf: "/system/resolved/resolv.conf",
} as const;

/**
 * Metadata key with which a caller of ApplyConfiguration confirms, with the value `true`, that the machine may move to another
 * cluster. The request itself has no field for it, and clients that do not know the key are refused.
 */
export const allowIdentityChangeKey = "talos-allow-identity-change";

/** Largest message on any of our gRPC connections. */
export const maxMessageBytes = 32 * 1024 * 1024;

/** Names of processors as the API has them. */
const apiArchitectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** The API's name of a processor that Node.js names so. */
export function apiArchitecture(name: string): string {
  return apiArchitectures[name] ?? name;
}
