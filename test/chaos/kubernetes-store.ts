import { OsError } from "@talos-ts/base";
import {
  createKubernetesClient,
  kinds,
  type KubernetesAccess,
  type KubernetesClient,
  type KubernetesObject,
} from "@talos-ts/kubernetes";
import type { Store } from "./store.ts";

const namespace = "default";
const timeoutMs = 5000;

interface ConfigMap extends KubernetesObject {
  readonly data?: { readonly value?: string };
}

/** Answers of an API server that has done nothing. */
const refusals = new Set([
  "aborted",
  "already-exists",
  "invalid-argument",
  "not-found",
  "permission-denied",
  "unauthenticated",
]);
const noSuch = (err: unknown): boolean => err instanceof OsError && err.kind === "not-found";

/** Registers are config maps, read and written through the endpoint of the cluster. */
export function createKubernetesStore(access: KubernetesAccess): Store {
  return {
    name: "kubernetes",
    refused: (err) => err instanceof OsError && (refusals.has(err.kind) || /ECONNREFUSED/.test(err.message)),
    connect() {
      const client = createKubernetesClient({ access, timeoutMs, userAgent: "chaos" });
      return {
        read: async (key) => (await find(client, key))?.data?.value,
        async write(key, value) {
          // Without a resource version the last write wins.
          const object = configMap(key, value);
          await client.update(object).catch(async (err: unknown) => {
            if (!noSuch(err)) throw err;
            await client.create(object);
          });
        },
        async swap(key, expected, value) {
          const object = await find(client, key);
          if (object?.data?.value !== expected) return { swapped: false, found: object?.data?.value };
          const { resourceVersion } = object?.metadata ?? {};
          if (resourceVersion === undefined) await client.create(configMap(key, value));
          else await client.update(configMap(key, value, resourceVersion));
          return { swapped: true };
        },
        async [Symbol.asyncDispose]() {
          client[Symbol.dispose]();
        },
      };
    },
  };
}

async function find(client: KubernetesClient, name: string): Promise<ConfigMap | undefined> {
  return await client.get<ConfigMap>({ ...kinds.configMap, namespace, name }).catch((err: unknown) => {
    if (noSuch(err)) return undefined;
    throw err;
  });
}

function configMap(name: string, value: string, resourceVersion?: string): ConfigMap {
  return {
    apiVersion: kinds.configMap.apiVersion,
    kind: kinds.configMap.kind,
    metadata: { name, namespace, ...(resourceVersion !== undefined && { resourceVersion }) },
    data: { value },
  };
}
