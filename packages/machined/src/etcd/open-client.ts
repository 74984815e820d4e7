import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hostPort, OsError } from "@talos-ts/base";
import { listTyped, type State } from "@talos-ts/cosi";
import type { ClientTlsMaterial } from "@talos-ts/grpc";
import { etcdClientPort, paths } from "@talos-ts/machinery/constants";
import { Endpoint } from "@talos-ts/machinery/resources/k8s";
import { createEtcdClient, type EtcdClient } from "./etcd-client.ts";

/** Opens a client with the administrator's certificate that the PKI controller wrote. */
export async function openEtcdClient(
  { root }: { readonly root: string },
  endpoints: readonly string[],
): Promise<EtcdClient> {
  return createEtcdClient({ endpoints, tls: await readMaterial(join(root, paths.etcdPki)) });
}

/** Opens a client of the member on this machine. */
export function openLocalEtcdClient(machine: { readonly root: string }): Promise<EtcdClient> {
  return openEtcdClient(machine, [hostPort("127.0.0.1", etcdClientPort)]);
}

/** Opens a client of every member that may exist, this machine's own included. */
export async function openClusterEtcdClient(machine: {
  readonly state: State;
  readonly root: string;
}): Promise<EtcdClient> {
  return openEtcdClient(machine, await etcdEndpoints(machine));
}

/**
 * Lists `host:port` of every control plane machine; etcd need not run on all of them.
 *
 * @throws {OsError} `etcd/no-endpoints`
 */
export async function etcdEndpoints({ state }: { readonly state: State }): Promise<readonly string[]> {
  const known = await listTyped(state, Endpoint);
  const addresses = new Set(known.flatMap(({ spec }) => spec.addresses));
  if (addresses.size === 0) {
    throw new OsError({
      kind: "unavailable",
      code: "etcd/no-endpoints",
      message: "no controlplane endpoints discovered yet",
      next: "talosctl get members",
    });
  }
  return [...addresses].map((address) => hostPort(address, etcdClientPort));
}

async function readMaterial(directory: string): Promise<ClientTlsMaterial> {
  const file = (name: string): Promise<Buffer> => readFile(join(directory, name));
  try {
    return { ca: await file("ca.crt"), cert: await file("admin.crt"), key: await file("admin.key") };
  } catch (err) {
    throw new OsError({
      kind: "unavailable",
      code: "etcd/no-certificates",
      message: "etcd certificates are not ready yet",
      next: "talosctl get etcdpkistatus",
      cause: err,
    });
  }
}
