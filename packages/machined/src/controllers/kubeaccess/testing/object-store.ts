import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import { isRecord } from "@talos-ts/base";
import type { KubernetesObject } from "@talos-ts/kubernetes";
import { failWith, openWatch, type Answer } from "@talos-ts/kubernetes/testing";

/** Objects by path, served as an API server does: get, list, watch, create, replace, merge patch of the status, delete. */
export interface ObjectStore {
  readonly answer: Answer;
  get(path: string): KubernetesObject | undefined;
  put(path: string, object: KubernetesObject): void;
  delete(path: string): void;
  /** Waits until an object of this path passes, or until there is none if it is to be absent. */
  until(path: string, passes: (object: KubernetesObject | undefined) => boolean): Promise<KubernetesObject | undefined>;
  /** Objects whose path begins so. */
  under(prefix: string): readonly KubernetesObject[];
}

export function createObjectStore(): ObjectStore {
  const objects = new Map<string, KubernetesObject>();
  const changes = new EventEmitter();
  const watchers = new Set<{ readonly prefix: string; readonly send: (type: string, object: unknown) => void }>();
  let version = 0;

  function announce(type: string, path: string, object: KubernetesObject): void {
    for (const { prefix, send } of watchers) if (matches(prefix, path)) send(type, object);
    changes.emit("change");
  }
  function put(path: string, object: KubernetesObject): KubernetesObject {
    const present = objects.has(path);
    const uid = objects.get(path)?.metadata.uid ?? `uid-${path}`;
    const stored = { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(++version) } };
    objects.set(path, stored);
    announce(present ? "MODIFIED" : "ADDED", path, stored);
    return stored;
  }
  function remove(path: string): void {
    const object = objects.get(path);
    if (object === undefined || !objects.delete(path)) return;
    version += 1;
    announce("DELETED", path, object);
  }
  function watch(prefix: string, response: ServerResponse): undefined {
    const watcher = { prefix, send: openWatch(response) };
    watchers.add(watcher);
    response.on("close", () => watchers.delete(watcher));
  }

  return {
    get: (path) => objects.get(path),
    put: (path, object) => void put(path, object),
    delete: remove,
    under: (prefix) => [...objects].flatMap(([path, object]) => (path.startsWith(prefix) ? [object] : [])),
    async until(path, passes) {
      while (!passes(objects.get(path))) await once(changes, "change");
      return objects.get(path);
    },
    answer({ method, path, query, body }, response) {
      if (query.get("watch") !== null) return watch(path, response);
      const object = body as KubernetesObject;
      const present = objects.get(path);
      if (method === "POST") return put(`${path}/${object.metadata.name ?? ""}`, object);
      if (method === "GET" && isCollection(path)) {
        const items = [...objects].flatMap(([each, item]) => (matches(path, each) ? [item] : []));
        return { items, metadata: { resourceVersion: String(version) } };
      }
      if (present === undefined) return failWith(response, 404, "NotFound");
      if (method === "PUT") return put(path, object);
      if (method === "PATCH") return put(path, { ...present, status: mergedStatus(present, body) });
      if (method === "DELETE") remove(path);
      return present;
    },
  };
}

/** Reports whether an object is of a collection: of a namespace, or of all. */
function matches(collection: string, path: string): boolean {
  const plural = collection.slice(collection.lastIndexOf("/") + 1);
  if (collection.includes("/namespaces/")) return path.startsWith(`${collection}/`);
  return path.startsWith(collection.slice(0, -plural.length)) && path.split("/").at(-2) === plural;
}

const isCollection = (path: string): boolean =>
  ["serviceaccounts", "secrets", "events"].includes(path.split("/").at(-1) ?? "");

function mergedStatus(present: KubernetesObject, patch: unknown): object {
  const change = isRecord(patch) && isRecord(patch["status"]) ? patch["status"] : {};
  const status = isRecord(present["status"]) ? present["status"] : {};
  return Object.fromEntries(Object.entries({ ...status, ...change }).filter(([, value]) => value !== null));
}
