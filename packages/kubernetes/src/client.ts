import { isRecord, OsError, systemClock, type Clock } from "@talos-ts/base";
import type { KubernetesAccess } from "./access.ts";
import { createDiscovery } from "./internal/discovery.ts";
import { collectionPath, objectPath, queryString, type Query } from "./internal/paths.ts";
import { createTransport, type TransportRequest } from "./internal/transport.ts";
import { watchEvents } from "./internal/watch.ts";
import { kinds } from "./kinds.ts";
import type { KindRef, KubernetesObject, ObjectList, ObjectRef, WatchEvent } from "./object.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Longest wait for the answer, in ms. Default: that of the client. */
  readonly timeoutMs?: number;
}

export interface SelectOptions extends CallOptions {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface WatchOptions extends SelectOptions {
  /** Version to begin at, from `ObjectList.resourceVersion` or the last event. */
  readonly resourceVersion: string;
  /** After this time the server ends the watch, in seconds. Default 300. */
  readonly timeoutSeconds?: number;
}

export interface ApplyOptions extends CallOptions {
  readonly fieldManager: string;
  /** Take over fields that another manager owns. Default false: a conflict is an error. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

const patchTypes = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
} as const;

export interface PatchOptions extends CallOptions {
  /** Default `strategic`. */
  readonly type?: keyof typeof patchTypes;
  readonly fieldManager?: string;
}

export interface DeleteOptions extends CallOptions {
  readonly gracePeriodSeconds?: number;
  /** Refuse unless the object has this UID, so that a successor of the same name is left alone. */
  readonly uid?: string;
}

export interface KubernetesClient extends Disposable {
  get<T extends KubernetesObject>(ref: ObjectRef, options?: CallOptions): Promise<T>;
  /** All objects, read in pages. */
  list<T extends KubernetesObject>(kind: KindRef, options?: SelectOptions): Promise<ObjectList<T>>;
  /** Changes since a resource version. @throws `kubernetes/expired` when the server no longer has that version */
  watch<T extends KubernetesObject>(kind: KindRef, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
  create<T extends KubernetesObject>(object: T, options?: CallOptions & { readonly fieldManager?: string }): Promise<T>;
  /** Replaces the object; with `metadata.resourceVersion` only if it did not change since. */
  update<T extends KubernetesObject>(object: T, options?: CallOptions & { readonly fieldManager?: string }): Promise<T>;
  patch<T extends KubernetesObject>(ref: ObjectRef, patch: unknown, options?: PatchOptions): Promise<T>;
  /** Server-side apply. */
  apply<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<T>;
  delete(ref: ObjectRef, options?: DeleteOptions): Promise<void>;
  /** Evicts a pod; `resource-exhausted` while a disruption budget forbids it. */
  evict(
    pod: { readonly name: string; readonly namespace: string },
    options?: CallOptions & { readonly gracePeriodSeconds?: number },
  ): Promise<void>;
  /** Reports whether objects of a kind live in namespaces. @throws `kubernetes/unknown-kind` */
  isNamespaced(kind: KindRef, options?: CallOptions): Promise<boolean>;
  /** The body of a path such as `/readyz`. */
  text(path: string, options?: CallOptions): Promise<string>;
}

export interface ClientOptions {
  /** Called for every request, so that rotated certificates are picked up. */
  readonly access: KubernetesAccess | (() => Promise<KubernetesAccess> | KubernetesAccess);
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Longest wait for an answer, in ms. Default 30 000. */
  readonly timeoutMs?: number;
  /** Largest answer, in bytes. Default 16 MiB. */
  readonly maxBytes?: number;
  /** Objects per page of a list. Default 500. */
  readonly pageSize?: number;
  /** Default `talos`. */
  readonly userAgent?: string;
}

export function createKubernetesClient(options: ClientOptions): KubernetesClient {
  const { access, clock = systemClock, timeoutMs = 30_000, maxBytes = 16 * 1024 * 1024, pageSize = 500 } = options;
  const transport = createTransport({
    access: typeof access === "function" ? access : () => access,
    clock,
    userAgent: options.userAgent ?? "talos",
  });
  const discovery = createDiscovery((path, signal) => send("GET", path, callOf(signal)));

  async function send(
    method: TransportRequest["method"],
    path: string,
    call: CallOptions,
    payload: { readonly body?: unknown; readonly contentType?: string } = {},
  ): Promise<unknown> {
    const { signal, timeoutMs: limit = timeoutMs } = call;
    return await transport.json(
      { method, path, timeoutMs: limit, ...payload, ...(signal !== undefined && { signal }) },
      maxBytes,
    );
  }

  async function pathOf(ref: ObjectRef, call: CallOptions, query: Query = {}, subresource = ""): Promise<string> {
    const resource = await discovery.resourceOf(ref, call.signal);
    return objectPath(resource, ref.namespace, ref.name) + subresource + queryString(query);
  }

  async function page(
    path: string,
    call: SelectOptions,
    token: string | undefined,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { labelSelector, fieldSelector } = call;
    const query = queryString({ labelSelector, fieldSelector, limit: pageSize, continue: token });
    const answer = await send("GET", path + query, call);
    if (isRecord(answer) && Array.isArray(answer["items"])) return answer;
    throw new OsError({
      kind: "internal",
      code: "kubernetes/bad-answer",
      message: `GET ${path}: the response is not a list`,
    });
  }

  return {
    async get<T extends KubernetesObject>(ref: ObjectRef, call: CallOptions = {}) {
      return (await send("GET", await pathOf(ref, call), call)) as T;
    },
    async list<T extends KubernetesObject>(kind: KindRef, call: SelectOptions = {}): Promise<ObjectList<T>> {
      const path = collectionPath(await discovery.resourceOf(kind, call.signal), call.namespace);
      const items: T[] = [];
      for (let token: string | undefined; ;) {
        const answer = await page(path, call, token);
        items.push(...(answer["items"] as readonly T[]));
        const metadata = isRecord(answer["metadata"]) ? answer["metadata"] : {};
        const next = metadata["continue"];
        if (typeof next !== "string" || next === "") {
          return { items, resourceVersion: String(metadata["resourceVersion"] ?? "") };
        }
        token = next;
      }
    },
    async *watch<T extends KubernetesObject>(kind: KindRef, call: WatchOptions) {
      const { namespace, labelSelector, fieldSelector, resourceVersion, timeoutSeconds = 300, signal } = call;
      const path = collectionPath(await discovery.resourceOf(kind, signal), namespace);
      const query = { watch: true, allowWatchBookmarks: true };
      const selection = { labelSelector, fieldSelector, resourceVersion, timeoutSeconds };
      const response = await transport.stream(
        {
          method: "GET",
          path: path + queryString({ ...query, ...selection }),
          timeoutMs: call.timeoutMs ?? timeoutMs,
          ...(signal !== undefined && { signal }),
        },
        maxBytes,
      );
      yield* watchEvents<T>(response, `WATCH ${path}`, maxBytes);
    },
    async create<T extends KubernetesObject>(object: T, call: CallOptions & { readonly fieldManager?: string } = {}) {
      const resource = await discovery.resourceOf(kindOf(object), call.signal);
      const path = collectionPath(resource, object.metadata.namespace ?? "default");
      const query = queryString({ fieldManager: call.fieldManager });
      return (await send("POST", path + query, call, { body: object })) as T;
    },
    async update<T extends KubernetesObject>(object: T, call: CallOptions & { readonly fieldManager?: string } = {}) {
      const path = await pathOf(refOf(object), call, { fieldManager: call.fieldManager });
      return (await send("PUT", path, call, { body: object })) as T;
    },
    async patch<T extends KubernetesObject>(ref: ObjectRef, patch: unknown, call: PatchOptions = {}) {
      const { type = "strategic", fieldManager } = call;
      const path = await pathOf(ref, call, { fieldManager });
      return (await send("PATCH", path, call, { body: patch, contentType: patchTypes[type] })) as T;
    },
    async apply<T extends KubernetesObject>(object: T, call: ApplyOptions) {
      const { fieldManager, force = false, dryRun = false } = call;
      const query = { fieldManager, force: force ? true : undefined, dryRun: dryRun ? "All" : undefined };
      const path = await pathOf(refOf(object), call, query);
      // JSON is YAML, and every version of the server takes this type.
      return (await send("PATCH", path, call, { body: object, contentType: "application/apply-patch+yaml" })) as T;
    },
    async delete(ref, call = {}) {
      const { gracePeriodSeconds, uid } = call;
      const body = {
        apiVersion: "v1",
        kind: "DeleteOptions",
        ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
        ...(uid !== undefined && { preconditions: { uid } }),
      };
      await send("DELETE", await pathOf(ref, call), call, { body });
    },
    async evict({ name, namespace }, call = {}) {
      const { gracePeriodSeconds } = call;
      const deleteOptions = gracePeriodSeconds === undefined ? {} : { deleteOptions: { gracePeriodSeconds } };
      const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace }, ...deleteOptions };
      const path = objectPath({ apiVersion: "v1", plural: "pods", namespaced: true }, namespace, name);
      await send("POST", `${path}/eviction`, call, { body });
    },
    async isNamespaced(kind, { signal } = {}) {
      return (await discovery.resourceOf(kind, signal)).namespaced;
    },
    async text(path, { signal, timeoutMs: limit = timeoutMs } = {}) {
      const request = { method: "GET", path, timeoutMs: limit, ...(signal !== undefined && { signal }) } as const;
      return await transport.text(request, maxBytes);
    },
    [Symbol.dispose]: () => transport[Symbol.dispose](),
  };
}

function callOf(signal: AbortSignal | undefined): CallOptions {
  return signal === undefined ? {} : { signal };
}

const known: ReadonlyMap<string, KindRef> = new Map(
  Object.values(kinds).map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind]),
);

function kindOf(object: KubernetesObject): KindRef {
  const { apiVersion = "", kind = "" } = object;
  return known.get(`${apiVersion} ${kind}`) ?? { apiVersion, kind };
}

/** The reference of an object that was read or is to be written. */
export function refOf(object: KubernetesObject): ObjectRef {
  const { name = "", namespace } = object.metadata;
  return { ...kindOf(object), name, ...(namespace !== undefined && { namespace }) };
}
