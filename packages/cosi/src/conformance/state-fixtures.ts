import { describe, it } from "node:test";
import type { Clock } from "@talos-ts/base";
import { createResource, kindOf, pointerTo, type Resource, type ResourceInit, type ResourceType } from "../resource.ts";
import type { CoreState, Event, State, Watch } from "../state.ts";

/** A state under test and whatever must be closed with it. */
export interface StateHarness extends AsyncDisposable {
  readonly state: State;
}

/** Describes how the state under test is to be opened. */
export interface HarnessOptions {
  readonly clock: Clock;
  readonly historyCapacity: number;
  readonly historyGap: number;
}

/** An implementation to hold against the criteria. */
export interface StateSubject {
  readonly name: string;
  /** Opens a fresh, empty state that knows `noteType` and `otherType`. */
  open(options: HarnessOptions): Promise<StateHarness>;
  /** True when the state bounds what waits for a slow reader itself. A connection does so by holding back the sender. */
  readonly boundsWatches: boolean;
}

/** Spec of the resources that conformance suites use. */
export interface Note {
  readonly text: string;
  readonly count: number;
  readonly bytes?: Uint8Array;
  readonly list?: readonly string[];
}

/** Type of the resources that conformance suites write. */
export const noteType = jsonType<Note>("Notes.conformance.cosi.dev");
/** A second type with the same spec. */
export const otherType = jsonType<Note>("OtherNotes.conformance.cosi.dev");
/** Kind of all notes. */
export const notes = kindOf(noteType);

/** Creates a note that is not stored. */
export function note(id: string, spec: Partial<Note> = {}, init?: ResourceInit): Resource<Note> {
  return createResource(noteType, id, { text: id, count: 0, ...spec }, init);
}

/** Gives the pointer of a note. */
export const notePointer = (id: string): ReturnType<typeof pointerTo> => pointerTo(noteType, id);

/** Declares a group of criteria. */
export function group(name: string, declare: () => void): void {
  void describe(name, declare);
}

/** Declares one criterion with a fresh state. The limit only turns a hang into a failure. */
export function criterion(
  subject: StateSubject,
  name: string,
  check: (state: State, harness: StateHarness) => Promise<void>,
  options: Partial<HarnessOptions> = {},
): void {
  void it(name, { timeout: 30_000 }, async () => {
    await using harness = await subject.open({
      clock: options.clock ?? { now: () => 1_700_000_000_000, monotonic: () => 0, sleep: () => Promise.resolve() },
      historyCapacity: options.historyCapacity ?? 64,
      historyGap: options.historyGap ?? 4,
    });
    await check(harness.state, harness);
  });
}

/** Reads a watch event by event. */
export interface EventReader extends AsyncDisposable {
  next(): Promise<Event>;
  take(count: number): Promise<readonly Event[]>;
  /** Reads to the end. */
  rest(): Promise<readonly Event[]>;
}

/** Reads a watch event by event instead of batch by batch. */
export function readEvents(watch: Watch): EventReader {
  const batches = watch[Symbol.asyncIterator]();
  const queue: Event[] = [];
  let ended = false;

  async function fill(): Promise<void> {
    const result = await batches.next();
    if (result.done === true) ended = true;
    else queue.push(...result.value);
  }

  async function next(): Promise<Event> {
    while (queue.length === 0 && !ended) await fill();
    const event = queue.shift();
    if (event === undefined) throw new Error("The watch ended although more events were expected");
    return event;
  }

  return {
    next,
    async take(count) {
      const events: Event[] = [];
      while (events.length < count) events.push(await next());
      return events;
    },
    async rest() {
      while (!ended) await fill();
      return queue.splice(0);
    },
    [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  };
}

/** `created a@1`: what tests compare, without bookmarks and specs. */
export function brief(event: Event): string {
  const { type, resource } = event;
  if (resource === undefined) return type;
  const before = type === "updated" ? `${event.old.metadata.version}→` : "";
  return `${type} ${resource.metadata.id}@${before}${resource.metadata.version}`;
}

export async function readBriefs(reader: EventReader, count: number): Promise<readonly string[]> {
  return (await reader.take(count)).map(brief);
}

/** Created, updated twice and destroyed: four events. */
export async function liveAndDie(state: CoreState, id: string): Promise<void> {
  const first = await state.create(note(id));
  const second = await state.update(first);
  await state.update(second);
  await state.destroy(notePointer(id));
}

export const ids = (resources: readonly Resource[]): readonly string[] => resources.map(({ metadata }) => metadata.id);

function jsonType<S>(type: string): ResourceType<S> {
  return {
    type,
    namespace: "conformance",
    codec: {
      encode: (spec) =>
        Buffer.from(
          JSON.stringify(spec, (_, value: unknown) =>
            value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value,
          ),
        ),
      decode: (bytes) =>
        JSON.parse(Buffer.from(bytes).toString(), (_, value: unknown) =>
          isBase64(value) ? new Uint8Array(Buffer.from(value.base64, "base64")) : value,
        ) as S,
      toPlain: (spec) => spec,
    },
  };
}

function isBase64(value: unknown): value is { readonly base64: string } {
  return typeof value === "object" && value !== null && "base64" in value;
}
