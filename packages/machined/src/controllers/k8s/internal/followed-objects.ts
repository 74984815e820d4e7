import { describeError, OsError, type Clock } from "@talos-ts/base";
import type { ControllerContext } from "@talos-ts/cosi";
import {
  createKubernetesClient,
  follow,
  type FollowOptions,
  type KindRef,
  type KubernetesObject,
} from "@talos-ts/kubernetes";
import type { NodeAccess } from "./kubernetes-access.ts";

export interface FollowRequest extends Pick<
  FollowOptions<KubernetesObject>,
  "namespace" | "labelSelector" | "fieldSelector"
> {
  readonly kind: KindRef;
  readonly access: NodeAccess;
}

/** Kubernetes objects that a controller follows, as one more input: the controller is woken when they change. */
export interface FollowedObjects<T extends KubernetesObject> extends Disposable {
  /** Follows these from now on; `undefined` follows nothing. The same request again changes nothing. */
  set(request: FollowRequest | undefined): void;
  /** The objects, or `undefined` until the first answer. */
  readonly objects: readonly T[] | undefined;
}

/** @param failure Log line when following fails; it is repeated only when the error changes. */
export function createFollowedObjects<T extends KubernetesObject>(
  context: Pick<ControllerContext, "logger" | "queueReconcile" | "signal">,
  { clock }: { readonly clock: Clock },
  failure: string,
): FollowedObjects<T> {
  let current = "";
  let end: AbortController | undefined;
  let objects: readonly T[] | undefined;

  function start({ kind, access, ...selection }: FollowRequest): AbortController {
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, context.signal]);
    const client = createKubernetesClient({ access: access.access, clock });
    let said = "";
    const following = follow<T>(client, kind, {
      ...selection,
      signal,
      clock,
      onChange(found) {
        if (signal.aborted) return;
        said = "";
        objects = [...found.values()];
        context.queueReconcile();
      },
      onError(error) {
        const text = describeError(error);
        // A kubeconfig that was removed is written again by the kubelet, and its resource tells when.
        const level = OsError.from(error).details["errno"] === "ENOENT" ? "debug" : "warn";
        if (text !== said) context.logger[level](failure, { error: text });
        said = text;
      },
    });
    void following.finally(() => client[Symbol.dispose]());
    return ending;
  }

  return {
    set(request) {
      const wanted = request === undefined ? "" : JSON.stringify({ ...request, access: request.access.basis });
      if (wanted === current) return;
      end?.abort();
      objects = undefined;
      current = wanted;
      end = request === undefined ? undefined : start(request);
    },
    get objects() {
      return objects;
    },
    [Symbol.dispose]: () => end?.abort(),
  };
}
