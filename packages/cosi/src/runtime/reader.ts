import type { Reader } from "../controller.ts";
import { isNotFound, notFound } from "../errors.ts";
import type { Kind, Resource } from "../resource.ts";
import type { Query } from "../query.ts";
import { checkOpen, type Scope } from "./scope.ts";

/**
 * Reads what the scope allows: kinds that some controller has as input from the shared cache, others from the state.
 * Remembers what was looked for in vain.
 */
export function createReader(scope: Scope): Reader {
  async function find<S>(namespace: string, type: string, id: string): Promise<Resource<S> | undefined> {
    checkOpen(scope);
    scope.access.checkRead(namespace, type, id);
    const turn = scope.turnstile.pass();
    if (turn !== undefined) await turn;
    const found = await readOne(scope, namespace, type, id);
    if (found === undefined && !scope.access.isOutput(type)) scope.monitor.missed({ namespace, type, id });
    return found as Resource<S> | undefined;
  }

  return {
    async get<S>(type: { readonly type: string; readonly namespace: string }, id: string, namespace = type.namespace) {
      const found = await find<S>(namespace, type.type, id);
      if (found === undefined) throw notFound({ namespace, type: type.type, id });
      return found;
    },
    find: (type, id, namespace = type.namespace) => find(namespace, type.type, id),
    async list<S>(
      type: { readonly type: string; readonly namespace: string },
      { namespace = type.namespace, query }: { readonly namespace?: string; readonly query?: Query } = {},
    ) {
      return (await listKind(scope, { namespace, type: type.type }, query)) as readonly Resource<S>[];
    },
  };
}

/** The resource as the cache or the state has it, without asking whether the controller may. */
export async function readOne(
  scope: Scope,
  namespace: string,
  type: string,
  id: string,
): Promise<Resource | undefined> {
  const cache = scope.hub.cache(namespace, type);
  if (cache === undefined) return readStored(scope, namespace, type, id);
  if (cache.filling !== undefined) await cache.filling;
  return cache.get(id);
}

/** The resource as the state has it now. */
export async function readStored(
  scope: Scope,
  namespace: string,
  type: string,
  id: string,
): Promise<Resource | undefined> {
  try {
    return await scope.state.get({ namespace, type, id });
  } catch (err) {
    if (isNotFound(err)) return undefined;
    throw err;
  }
}

export async function listKind(scope: Scope, kind: Kind, query?: Query): Promise<readonly Resource[]> {
  checkOpen(scope);
  scope.access.checkList(kind.namespace, kind.type);
  const turn = scope.turnstile.pass();
  if (turn !== undefined) await turn;
  const cache = scope.hub.cache(kind.namespace, kind.type);
  if (cache === undefined) return scope.state.list(kind, query);
  if (cache.filling !== undefined) await cache.filling;
  return cache.list(query);
}
