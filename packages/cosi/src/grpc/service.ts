import type { MessageInitShape } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";
import type { CallContext, ServiceImpl } from "@talos-ts/grpc";
import type { State as StateService, WatchRequest, WatchResponseSchema } from "@talos-ts/proto/cosi/resource";
import { isPhaseConflict, stateError, unsupported } from "../errors.ts";
import type { ResourceRegistry } from "../registry.ts";
import type { CoreState, State, Watch, WatchOptions } from "../state.ts";
import type { StateAccess } from "./access.ts";
import { createReadableCodec, type LoadYaml } from "./readable-codec.ts";
import { encodeEvent, encodeFailure } from "./wire-event.ts";
import { decodeQuery } from "./wire-query.ts";
import { decodePhase, type WireCodec } from "./wire-resource.ts";

/** Settings of the State service. */
export interface StateServiceOptions {
  readonly registry: ResourceRegistry;
  /** Asked before every access; returning allows it, throwing refuses it with what was thrown. @default everything */
  readonly filter?: (access: StateAccess, context: CallContext) => void | Promise<void>;
  /** Largest number of events that may wait for a slow caller before its watch is ended. @default the state's own */
  readonly watchCapacity?: number;
  /** Writes specs in the form people read; loaded with the first call. @default a YAML library, indented by four */
  readonly yaml?: LoadYaml;
}

type WireEvents = NonNullable<MessageInitShape<typeof WatchResponseSchema>["event"]>;

/** Serves a state as `cosi.resource.State`. */
export function stateService(state: State, options: StateServiceOptions): ServiceImpl<typeof StateService> {
  const readable = createReadableCodec(options.registry, options.yaml);
  const filter = options.filter ?? (() => undefined);

  return {
    async get({ namespace, type, id }, context) {
      await filter({ verb: "get", namespace, type, id }, context);
      const codec = await readable();
      return { resource: codec.encode(await state.get({ namespace, type, id })) };
    },

    async *list({ namespace, type, options: wanted }, context) {
      await filter({ verb: "list", namespace, type }, context);
      const codec = await readable();
      const resources = await state.list({ namespace, type }, decodeQuery(wanted));
      for (const resource of resources) yield { resource: codec.encode(resource) };
    },

    async create(request, context) {
      const codec = await readable();
      const resource = codec.decode(request.resource);
      const { namespace, type, id } = resource.metadata;
      await filter({ verb: "create", namespace, type, id }, context);
      return { resource: codec.encode(await state.create(resource, { owner: request.options?.owner ?? "" })) };
    },

    async update(request, context) {
      const codec = await readable();
      const resource = codec.decode(request.newResource);
      const { namespace, type, id } = resource.metadata;
      await filter({ verb: "update", namespace, type, id }, context);
      const { owner = "", expectedPhase } = request.options ?? {};
      const phase = expectedPhase === undefined ? "any" : decodePhase(expectedPhase);
      return { resource: codec.encode(await state.update(resource, { owner, expectedPhase: phase })) };
    },

    async destroy({ namespace, type, id, options: wanted }, context) {
      await filter({ verb: "destroy", namespace, type, id }, context);
      await state.destroy({ namespace, type, id }, { owner: wanted?.owner ?? "" });
      return {};
    },

    async teardown({ namespace, type, id, options: wanted }, context) {
      await filter({ verb: "teardown", namespace, type, id }, context);
      const pointer = { namespace, type, id };
      const destroyReady = await asPrecondition(state.teardown(pointer, { owner: wanted?.owner ?? "" }));
      return { destroyReady };
    },

    async teardownAndDestroy({ namespace, type, id, options: wanted }, context) {
      await filter({ verb: "teardown", namespace, type, id }, context);
      await filter({ verb: "destroy", namespace, type, id }, context);
      const { signal } = context;
      const pointer = { namespace, type, id };
      await asPrecondition(state.teardownAndDestroy(pointer, { owner: wanted?.owner ?? "", signal }));
      return {};
    },

    async *watch(request, context) {
      const { namespace, type, id } = request;
      await filter({ verb: "watch", namespace, type, ...(id !== undefined && { id }) }, context);
      const codec = await readable();
      const aggregated = id === undefined && request.options?.aggregated === true;
      await using watch = await openWatch(state, request, context.signal, options.watchCapacity);
      // An empty answer says that from here on no event is missed.
      yield {};
      for await (const batch of answers(codec, watch, request)) {
        if (aggregated) yield { event: batch };
        else for (const event of batch) yield { event: [event] };
      }
    },
  };
}

/** The batches of a watch as messages; a failure is the last of them, for callers that know such events. */
async function* answers(codec: WireCodec, watch: Watch, request: WatchRequest): AsyncGenerator<WireEvents> {
  const modern = request.apiVersion >= 1;
  try {
    for await (const events of watch) {
      const known = modern ? events : events.filter(({ type }) => type !== "bootstrapped");
      yield known.map((event) => encodeEvent(codec, request, event));
    }
  } catch (err) {
    if (!modern) throw err;
    yield [encodeFailure(err)];
  }
}

function openWatch(
  state: CoreState,
  { namespace, type, id, options }: WatchRequest,
  signal: AbortSignal,
  capacity: number | undefined,
): Promise<Watch> {
  const start: WatchOptions = {
    signal,
    tailEvents: options?.tailEvents ?? 0,
    ...(options?.startFromBookmark !== undefined && { startFromBookmark: options.startFromBookmark }),
    ...(capacity !== undefined && { capacity }),
  };
  if (id === undefined) {
    const { bootstrapContents = false, bootstrapBookmark = false } = options ?? {};
    return state.watchKind(
      { namespace, type },
      { ...start, bootstrapContents, bootstrapBookmark, query: decodeQuery(options) },
    );
  }
  if (options?.bootstrapContents === true) {
    throw unsupported("bootstrap contents is not implemented for resource watch");
  }
  if ((options?.labelQuery ?? []).length > 0) {
    throw unsupported("label query is not implemented for resource watch");
  }
  return state.watch({ namespace, type, id }, start);
}

/** Turns a lost race about a phase into a conflict like any other: none was asked for. */
async function asPrecondition<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (err) {
    if (!isPhaseConflict(err)) throw err;
    throw stateError(
      "phase",
      err.details,
      err.message,
      new OsError({ kind: "failed-precondition", message: err.message }),
    );
  }
}
