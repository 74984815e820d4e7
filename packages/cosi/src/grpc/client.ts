import { isKind, systemClock, type BackoffOptions, type Clock } from "@talos-ts/base";
import { createClient, type Channel, type ClientOptions } from "@talos-ts/grpc";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import type { ResourceRegistry } from "../registry.ts";
import type { Kind, Resource } from "../resource.ts";
import type { CoreState, NativeTeardown, Watch, WatchOptions } from "../state.ts";
import { wrapCore } from "../wrap-core.ts";
import { namedError } from "./client-errors.ts";
import { openClientWatch, type ClientWatchInit } from "./client-watch.ts";
import { createReadableCodec } from "./readable-codec.ts";
import { encodeQuery } from "./wire-query.ts";
import { createWireCodec } from "./wire-resource.ts";

/** Settings of a state client. */
export interface StateClientOptions extends ClientOptions {
  readonly registry: ResourceRegistry;
  /** Intervals at which a watch is resumed after a lost connection; `false` gives up at once. @default {{}} */
  readonly watchRetry?: BackoffOptions | false;
  /** Time to try. @default {900_000} */
  readonly watchRetryForMs?: number;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** A state at the far end of a channel. */
export function createStateClient(channel: Channel, options: StateClientOptions): CoreState & NativeTeardown {
  const { registry, watchRetry = {}, watchRetryForMs = 900_000, clock = systemClock, ...clientOptions } = options;
  const client = createClient(StateService, channel, clientOptions);
  const codec = createWireCodec(registry);
  const readable = createReadableCodec(registry);
  /** Older servers have no such methods; learnt at the first refusal. */
  const lacking = new Set<keyof NativeTeardown>();

  function openWatch(kind: Kind, request: ClientWatchInit["request"], signal: AbortSignal | undefined): Promise<Watch> {
    return openClientWatch({
      client,
      codec,
      kind,
      request,
      signal,
      clock,
      retry: watchRetry,
      retryForMs: watchRetryForMs,
    });
  }

  const core: CoreState = {
    async get({ namespace, type, id }) {
      const { resource } = await named(
        "get",
        { namespace, type, id },
        client.get({ namespace, type, id, options: {} }),
      );
      return codec.decode(resource);
    },
    async list({ namespace, type }, query) {
      const resources: Resource[] = [];
      try {
        for await (const { resource } of client.list({ namespace, type, options: encodeQuery(query) })) {
          resources.push(codec.decode(resource));
        }
      } catch (err) {
        throw namedError("list", { namespace, type }, err);
      }
      return resources;
    },
    async create(resource, { owner = "" } = {}) {
      const request = { resource: (await readable()).encode(resource), options: { owner } };
      return codec.decode((await named("create", resource.metadata, client.create(request))).resource);
    },
    async update(resource, { owner = "", expectedPhase = "running" } = {}) {
      const wanted = { owner, ...(expectedPhase !== "any" && { expectedPhase }) };
      const request = { newResource: (await readable()).encode(resource), options: wanted };
      return codec.decode((await named("update", resource.metadata, client.update(request))).resource);
    },
    async destroy({ namespace, type, id }, { owner = "" } = {}) {
      await named("destroy", { namespace, type, id }, client.destroy({ namespace, type, id, options: { owner } }));
    },
    watch: ({ namespace, type, id }, watchOptions = {}) =>
      openWatch(
        { namespace, type },
        { namespace, type, id, options: start(watchOptions), apiVersion: 1 },
        watchOptions.signal,
      ),
    watchKind({ namespace, type }, watchOptions = {}) {
      const { query, bootstrapContents = false, bootstrapBookmark = false } = watchOptions;
      const wanted = {
        ...start(watchOptions),
        ...encodeQuery(query),
        bootstrapContents,
        bootstrapBookmark,
        aggregated: true,
      };
      return openWatch({ namespace, type }, { namespace, type, options: wanted, apiVersion: 1 }, watchOptions.signal);
    },
  };

  /** Makes the call, or does without it if the server does not know it. */
  async function native<T>(
    method: keyof NativeTeardown,
    call: () => Promise<T>,
    fallback: () => Promise<T>,
  ): Promise<T> {
    if (lacking.has(method)) return fallback();
    try {
      return await call();
    } catch (err) {
      if (!isKind(err, "unimplemented")) throw err;
      lacking.add(method);
      return fallback();
    }
  }

  const fallback = wrapCore(core);
  return {
    ...core,
    teardown: ({ namespace, type, id }, { owner = "" } = {}) =>
      native(
        "teardown",
        async () => {
          const request = { namespace, type, id, options: { owner } };
          return (await named("teardown", request, client.teardown(request))).destroyReady;
        },
        () => fallback.teardown({ namespace, type, id }, { owner }),
      ),
    teardownAndDestroy: ({ namespace, type, id }, { owner = "", signal } = {}) =>
      native(
        "teardownAndDestroy",
        async () => {
          const request = { namespace, type, id, options: { owner } };
          const call = client.teardownAndDestroy(request, signal === undefined ? {} : { signal });
          await named("teardownAndDestroy", request, call);
        },
        () => fallback.teardownAndDestroy({ namespace, type, id }, { owner, ...(signal !== undefined && { signal }) }),
      ),
  };
}

async function named<T>(
  method: Parameters<typeof namedError>[0],
  scope: Parameters<typeof namedError>[1],
  call: Promise<T>,
): Promise<T> {
  try {
    return await call;
  } catch (err) {
    throw namedError(method, scope, err);
  }
}

function start({ tailEvents = 0, startFromBookmark }: WatchOptions): {
  tailEvents: number;
  startFromBookmark?: Uint8Array;
} {
  return { tailEvents, ...(startFromBookmark !== undefined && { startFromBookmark }) };
}
