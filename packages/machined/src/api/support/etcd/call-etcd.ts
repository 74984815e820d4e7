import { describeError, OsError } from "@talos-ts/base";
import type { EtcdClient } from "../../../etcd/etcd-client.ts";
import { openClusterEtcdClient, openLocalEtcdClient } from "../../../etcd/open-client.ts";
import type { EtcdClusterAccess } from "../../../etcd/dependencies.ts";
import type { ConfigStore } from "../../../config-store.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";

/** Describes what calls to etcd need of the machine. */
export interface EtcdCallDependencies extends EtcdClusterAccess {
  readonly config: ConfigStore;
}

export interface EtcdCall {
  /** Name of the call in the error of another machine, as in `etcd status is only available on control plane nodes`. */
  readonly api: string;
  /** Prefix of errors, as in `failed to query etcd status`. */
  readonly failure: string;
  /** Asks whichever member answers instead of the one on this machine. @default {false} */
  readonly anyMember?: boolean;
}

/**
 * Makes a call to etcd on behalf of the API.
 *
 * @throws unimplemented on machines that are not of the control plane
 */
export async function callEtcd<T>(
  machine: EtcdCallDependencies,
  { api, failure, anyMember = false }: EtcdCall,
  call: (client: EtcdClient) => Promise<T>,
): Promise<T> {
  await requireControlPlane(machine, api);
  try {
    await using client = await (anyMember ? openClusterEtcdClient(machine) : openLocalEtcdClient(machine));
    return await call(client);
  } catch (err) {
    throw etcdFailure(failure, err);
  }
}

/** Says what was tried, and where to look when etcd does not answer. */
export function etcdFailure(doing: string, cause: unknown): OsError {
  const { kind, code, next } = OsError.from(cause);
  const look = next ?? (kind === "unavailable" || kind === "deadline-exceeded" ? "talosctl service etcd" : undefined);
  return new OsError({
    kind,
    code,
    message: `${doing}: ${describeError(cause)}`,
    cause,
    ...(look !== undefined && { next: look }),
  });
}
