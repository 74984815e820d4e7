/** A Kubernetes object as JSON; `spec`, `status`, `data` and the rest are for the reader to narrow. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly [field: string]: unknown;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** Names a kind. With `plural` and `namespaced` its path is known without asking the server (see `kinds`). */
export interface KindRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural?: string;
  readonly namespaced?: boolean;
}

/** Names one object. */
export interface ObjectRef extends KindRef {
  readonly name: string;
  readonly namespace?: string;
}

export interface ObjectList<T extends KubernetesObject = KubernetesObject> {
  readonly items: readonly T[];
  /** Version of the whole collection: a watch from here misses nothing. */
  readonly resourceVersion: string;
}

export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";

export interface WatchEvent<T extends KubernetesObject = KubernetesObject> {
  readonly type: WatchEventType;
  readonly object: T;
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The fields of a Node that are read here. */
export interface NodeObject extends KubernetesObject {
  readonly spec?: {
    readonly podCIDRs?: readonly string[];
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly nodeInfo?: { readonly osImage?: string; readonly kubeletVersion?: string };
  };
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

/** The fields of a Pod that are read here. */
export interface PodObject extends KubernetesObject {
  readonly spec?: { readonly nodeName?: string; readonly hostNetwork?: boolean };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
  };
}
