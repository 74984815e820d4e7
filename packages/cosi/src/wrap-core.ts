import { OsError } from "@talos-ts/base";
import { isConflict, isOwnerConflict, isPhaseConflict, phaseConflict } from "./errors.ts";
import { equalResources } from "./equal.ts";
import { describePointer, type Metadata, type Pointer, type Resource } from "./resource.ts";
import type { CoreState, Event, NativeTeardown, State, UpdateOptions, WatchCondition } from "./state.ts";

/** Builds what callers use from what an implementor wrote. A core that tears down natively is asked to do so. */
export function wrapCore(core: CoreState & Partial<NativeTeardown>): State {
  async function updateWithConflicts(
    pointer: Pointer,
    change: (current: Resource) => Resource,
    options: UpdateOptions = {},
  ): Promise<Resource> {
    const { expectedPhase = "running" } = options;
    for (;;) {
      const current = await core.get(pointer);
      // Also when there is nothing to change: whether the caller's assumption holds does not depend on that.
      if (expectedPhase !== "any" && current.metadata.phase !== expectedPhase) {
        throw phaseConflict(current.metadata, expectedPhase);
      }
      const next = change(current);
      if (equalResources(current, next)) return current;
      try {
        return await core.update(next, options);
      } catch (err) {
        if (!isConflict(err) || isOwnerConflict(err) || isPhaseConflict(err)) throw err;
      }
    }
  }

  /** Changes metadata on behalf of the resource's own owner, in whatever phase it is. */
  async function changeFinalizers(
    pointer: Pointer,
    change: (finalizers: readonly string[]) => readonly string[],
  ): Promise<void> {
    const { metadata } = await core.get(pointer);
    await updateWithConflicts(
      pointer,
      (current) => withMetadata(current, { finalizers: change(current.metadata.finalizers) }),
      { owner: metadata.owner, expectedPhase: "any" },
    );
  }

  const teardown: State["teardown"] = async (pointer, options) => {
    if (core.teardown !== undefined) return core.teardown(pointer, options);
    let resource = await core.get(pointer);
    if (resource.metadata.phase !== "tearingDown") {
      resource = await updateWithConflicts(
        pointer,
        (current) => withMetadata(current, { phase: "tearingDown" }),
        options,
      );
    }
    return resource.metadata.finalizers.length === 0;
  };

  return {
    get: (pointer) => core.get(pointer),
    list: (kind, query) => core.list(kind, query),
    create: (resource, options) => core.create(resource, options),
    update: (resource, options) => core.update(resource, options),
    destroy: (pointer, options) => core.destroy(pointer, options),
    watch: (pointer, options) => core.watch(pointer, options),
    watchKind: (kind, options) => core.watchKind(kind, options),
    updateWithConflicts,
    teardown,
    async watchFor(pointer, condition, signal) {
      const event = await firstEvent(core, pointer, (candidate) => satisfies(candidate, condition), signal);
      return event.resource;
    },
    async teardownAndDestroy(pointer, options = {}) {
      if (core.teardownAndDestroy !== undefined) return core.teardownAndDestroy(pointer, options);
      const ready = await teardown(pointer, options);
      if (!ready) {
        const { type } = await firstEvent(
          core,
          pointer,
          (event) => event.type === "destroyed" || event.resource.metadata.finalizers.length === 0,
          options.signal,
        );
        if (type === "destroyed") return;
      }
      return core.destroy(pointer, options);
    },
    addFinalizer: (pointer, ...finalizers) =>
      changeFinalizers(pointer, (present) => [...new Set([...present, ...finalizers])]),
    removeFinalizer: (pointer, ...finalizers) =>
      changeFinalizers(pointer, (present) => present.filter((finalizer) => !finalizers.includes(finalizer))),
  };
}

/** The same resource with other metadata: how to change labels, finalizers or the phase. */
export function withMetadata<S>(resource: Resource<S>, change: Partial<Metadata>): Resource<S> {
  return { metadata: { ...resource.metadata, ...change }, spec: resource.spec };
}

/** The same resource with another spec. */
export function withSpec<S>(resource: Resource<S>, spec: S): Resource<S> {
  return { metadata: resource.metadata, spec };
}

type ResourceEvent = Extract<Event, { readonly resource: Resource }>;

async function firstEvent(
  core: CoreState,
  pointer: Pointer,
  test: (event: ResourceEvent) => boolean,
  signal: AbortSignal | undefined,
): Promise<ResourceEvent> {
  await using watch = await core.watch(pointer, signal === undefined ? {} : { signal });
  for await (const events of watch) {
    for (const event of events) {
      if (event.resource !== undefined && test(event)) return event;
    }
  }
  signal?.throwIfAborted();
  throw new OsError({
    kind: "unavailable",
    code: "cosi/watch-ended",
    message: `Watch of ${describePointer(pointer)} ended before the awaited event`,
  });
}

function satisfies({ type, resource }: ResourceEvent, condition: WatchCondition): boolean {
  const { events = ["created", "updated"], phases, finalizersEmpty = false, test } = condition;
  const { metadata } = resource;
  return (
    events.includes(type) &&
    (phases === undefined || phases.includes(metadata.phase)) &&
    (!finalizersEmpty || (type !== "destroyed" && metadata.finalizers.length === 0)) &&
    (test === undefined || test(resource))
  );
}
