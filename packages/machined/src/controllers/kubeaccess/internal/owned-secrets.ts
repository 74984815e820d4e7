import type { Clock } from "@talos-ts/base";
import type { ControllerContext } from "@talos-ts/cosi";
import { kinds } from "@talos-ts/kubernetes";
import { createFollowedObjects, type FollowedObjects } from "../../k8s/internal/followed-objects.ts";
import type { NodeAccess } from "../../k8s/internal/kubernetes-access.ts";
import type { SecretObject } from "./account.ts";

/** The secrets of some namespaces, as one more input: the controller is woken when one is changed or removed. */
export interface OwnedSecrets extends Disposable {
  /** Follows the secrets of these namespaces from now on; `undefined` follows none. */
  set(request: { readonly namespaces: readonly string[]; readonly access: NodeAccess } | undefined): void;
}

export function createOwnedSecrets(
  context: Pick<ControllerContext, "logger" | "queueReconcile" | "signal">,
  machine: { readonly clock: Clock },
): OwnedSecrets {
  const followed = new Map<string, FollowedObjects<SecretObject>>();

  function drop(namespace: string): void {
    followed.get(namespace)?.[Symbol.dispose]();
    followed.delete(namespace);
  }

  return {
    set(request) {
      const namespaces = new Set(request?.namespaces ?? []);
      for (const namespace of followed.keys()) if (!namespaces.has(namespace)) drop(namespace);
      for (const namespace of namespaces) {
        const secrets = followed.get(namespace) ?? createFollowedObjects(context, machine, "secret watch error");
        followed.set(namespace, secrets);
        // The type that is created here; leaves out tokens and releases of package managers, which may be large.
        secrets.set(request && { kind: kinds.secret, namespace, fieldSelector: "type=Opaque", access: request.access });
      }
    },
    [Symbol.dispose]() {
      for (const namespace of followed.keys()) drop(namespace);
    },
  };
}
