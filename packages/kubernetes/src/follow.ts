import { runForever, type BackoffOptions, type Clock } from "@talos-ts/base";
import type { KubernetesClient, SelectOptions } from "./client.ts";
import type { KindRef, KubernetesObject } from "./object.ts";

export interface FollowOptions<T extends KubernetesObject> extends Omit<SelectOptions, "signal" | "timeoutMs"> {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** The objects as they are now, by `namespace/name` (`name` for those without a namespace); after the list and every change. */
  readonly onChange: (objects: ReadonlyMap<string, T>) => void;
  /** The list or the watch failed and is tried again after `delayMs`. */
  readonly onError?: (error: unknown, delayMs: number) => void;
  /** Default 500 ms growing to 15 s. */
  readonly backoff?: BackoffOptions;
  readonly clock?: Clock;
}

/**
 * Keeps a set of objects current: lists, watches from there, lists again when the server has forgotten the version (410
 * Gone), and goes on after every failure with a backoff. Never rejects; resolves when the signal aborts.
 */
export async function follow<T extends KubernetesObject>(
  client: Pick<KubernetesClient, "list" | "watch">,
  kind: KindRef,
  options: FollowOptions<T>,
): Promise<void> {
  const { signal, onChange, onError, backoff = { initialMs: 500, maxMs: 15_000 }, clock, ...selection } = options;
  let objects = new Map<string, T>();
  /** Version to watch from; `undefined` when a list is due. */
  let version: string | undefined;

  async function relist(): Promise<string> {
    const listed = await client.list<T>(kind, { ...selection, signal });
    objects = new Map(listed.items.map((object) => [keyOf(object), object]));
    onChange(objects);
    return listed.resourceVersion;
  }

  async function watchFrom(start: string, works: () => void): Promise<void> {
    version = start;
    for await (const { type, object } of client.watch<T>(kind, { ...selection, signal, resourceVersion: start })) {
      works();
      version = object.metadata.resourceVersion ?? version;
      if (type === "BOOKMARK") continue;
      if (type === "DELETED") objects.delete(keyOf(object));
      else objects.set(keyOf(object), object);
      onChange(objects);
    }
  }

  await runForever(
    async (works) => {
      try {
        const start = version ?? (await relist());
        await watchFrom(start, works);
      } catch (err) {
        // Whatever went wrong, a fresh list is correct. A watch that just ends (its timeout) goes on where it was.
        version = undefined;
        throw err;
      }
    },
    {
      signal,
      backoff,
      ...(clock !== undefined && { clock }),
      onEnd: (error, delayMs) => {
        if (error !== undefined) onError?.(error, delayMs);
      },
    },
  );
}

function keyOf({ metadata: { namespace, name = "" } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
