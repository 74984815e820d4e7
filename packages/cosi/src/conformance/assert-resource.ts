import assert from "node:assert/strict";
import { describePointer, pointerTo, type Pointer, type Resource, type ResourceType } from "../resource.ts";
import type { ControllerStatus } from "../runtime/status.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { CoreState, Event } from "../state.ts";

// Assertions on what becomes true: they look at every change until the check passes, and never sleep. The limit only
// turns a hang into a failure, which then shows why the check failed last.

/** Settings of an assertion that waits. */
export interface WaitOptions {
  readonly namespace?: string;
  /** Longest wait, in ms; generous, since only a failing test waits that long. @default {60_000} */
  readonly limitMs?: number;
}

/** Waits until the resource exists and `check` (which throws if it is not satisfied) accepts it. */
export async function assertResource<S>(
  state: CoreState,
  type: ResourceType<S>,
  id: string,
  check: (resource: Resource<S>) => void = () => undefined,
  { namespace, limitMs }: WaitOptions = {},
): Promise<Resource<S>> {
  const pointer = pointerTo(type, id, namespace);
  let found: Resource<S> | undefined;
  await untilEvent(state, pointer, limitMs, ({ type: event, resource }) => {
    assert.notEqual(event, "destroyed", "it does not exist");
    check(resource as Resource<S>);
    found = resource as Resource<S>;
  });
  return found as Resource<S>;
}

/** Waits until the resource exists and its spec equals `spec`. */
export function assertSpec<S>(
  state: CoreState,
  type: ResourceType<S>,
  id: string,
  spec: S,
  options?: WaitOptions,
): Promise<Resource<S>> {
  return assertResource(state, type, id, (resource) => assert.deepEqual(resource.spec, spec), options);
}

/** Waits until there is no such resource. */
export async function assertNoResource(
  state: CoreState,
  type: ResourceType<unknown>,
  id: string,
  { namespace, limitMs }: WaitOptions = {},
): Promise<void> {
  await untilEvent(state, pointerTo(type, id, namespace), limitMs, (event) =>
    assert.equal(event.type, "destroyed", "it still exists"),
  );
}

/** Waits until `check` accepts the status of a controller. */
export async function assertStatus(
  runtime: Runtime,
  name: string,
  check: (status: ControllerStatus) => void,
  { limitMs = 60_000 }: Pick<WaitOptions, "limitMs"> = {},
): Promise<ControllerStatus> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  let failure: unknown = new Error("it is not registered");
  try {
    for await (const statuses of runtime.followStatus(limit.signal)) {
      const status = statuses.find((candidate) => candidate.name === name);
      if (status === undefined) continue;
      try {
        check(status);
        return status;
      } catch (err) {
        failure = err;
      }
    }
  } finally {
    clearTimeout(timer);
  }
  throw lastFailure(`status of controller "${name}"`, failure);
}

type ResourceEvent = Extract<Event, { readonly resource: Resource }>;

async function untilEvent(
  state: CoreState,
  pointer: Pointer,
  limitMs = 60_000,
  check: (event: ResourceEvent) => void,
): Promise<void> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  let failure: unknown;
  try {
    await using watch = await state.watch(pointer, { signal: limit.signal });
    for await (const events of watch) {
      for (const event of events) {
        if (event.resource === undefined) continue;
        try {
          return check(event);
        } catch (err) {
          failure = err;
        }
      }
    }
  } catch (err) {
    if (!limit.signal.aborted) throw err;
  } finally {
    clearTimeout(timer);
  }
  throw lastFailure(describePointer(pointer), await withNeighbours(state, pointer, failure));
}

/** Adds to a failure the ids that do exist: a resource is often there, under another id than the test looks for. */
async function withNeighbours(state: CoreState, { namespace, type, id }: Pointer, failure: unknown): Promise<unknown> {
  const others = (await state.list({ namespace, type }))
    .map(({ metadata }) => metadata.id)
    .filter((other) => other !== id);
  if (others.length === 0) return failure;
  const message = failure instanceof Error ? failure.message : String(failure);
  return `${message}; resources of this type have the ids ${others.map((other) => `"${other}"`).join(", ")}`;
}

function lastFailure(what: string, failure: unknown): Error {
  const message = failure instanceof Error ? failure.message : String(failure);
  return new assert.AssertionError({ message: `${what} never satisfied the check; last failure: ${message}` });
}
