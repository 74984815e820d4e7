import type { Kind, Phase, Pointer, Resource } from "./resource.ts";
import type { Query } from "./query.ts";

/**
 * Describes what an implementor writes. Every method rejects with an `OsError` made by `errors.ts`:
 *
 * | method  | conflict                                                                                        |
 * |---------|-------------------------------------------------------------------------------------------------|
 * | get     | not found                                                                                       |
 * | create  | already exists                                                                                  |
 * | update  | not found, version, owner, phase                                                                |
 * | destroy | not found, owner, pending finalizers                                                            |
 * | watch   | invalid bookmark; later: overrun of a slow watcher                                              |
 */
export interface CoreState {
  get(pointer: Pointer): Promise<Resource>;

  /** In order of id. */
  list(kind: Kind, query?: Query): Promise<readonly Resource[]>;

  /** Stores a new resource with version 1; resolves to what is stored. */
  create(resource: Resource, options?: CreateOptions): Promise<Resource>;

  /**
   * Replaces the stored resource, whose version must be that of the given one; resolves to what is stored. Every accepted
   * update counts: it raises the version and sends an event even when nothing differs, which is what clients of the wire
   * expect. Callers that may write what is already there use `updateWithConflicts` or compare with `equalResources`.
   */
  update(resource: Resource, options?: UpdateOptions): Promise<Resource>;

  destroy(pointer: Pointer, options?: OwnerOptions): Promise<void>;

  /**
   * Watches one resource. The first event is always its present state: `created`, or `destroyed` with an empty spec when
   * there is none (unless tail events or a bookmark say where to start). Once the promise resolves no event is missed.
   */
  watch(pointer: Pointer, options?: WatchOptions): Promise<Watch>;

  /** Watches every resource of a kind. */
  watchKind(kind: Kind, options?: WatchKindOptions): Promise<Watch>;
}

/** On whose behalf a write is made. */
export interface OwnerOptions {
  /** The controller on whose behalf this happens. @default {""} */
  readonly owner?: string;
}

/** Settings of `create`. */
export type CreateOptions = OwnerOptions;

/** Settings of `update`. */
export interface UpdateOptions extends OwnerOptions {
  /** The phase the stored resource must be in; `any` accepts both. @default {"running"} */
  readonly expectedPhase?: Phase | "any";
}

/** Settings of a watch. */
export interface WatchOptions {
  /** Ends the watch. */
  readonly signal?: AbortSignal;
  /** Replay this many past events first, as far as history reaches. */
  readonly tailEvents?: number;
  /** Continue after the event that carried this bookmark. */
  readonly startFromBookmark?: Uint8Array;
  /** Largest number of events that may wait for a slow reader before the watch ends with an overrun. @default {8192} */
  readonly capacity?: number;
}

/** Settings of a watch of all resources of a kind. */
export interface WatchKindOptions extends WatchOptions {
  readonly query?: Query;
  /** Send the present contents as `created` events, then `bootstrapped`. @default {false} */
  readonly bootstrapContents?: boolean;
  /** Send a `noop` event that carries the bookmark of the present. @default {false} */
  readonly bootstrapBookmark?: boolean;
}

/**
 * A running watch: batches of events in order. What piled up since the last read comes as one batch. Ends with a rejected
 * read on errors; leaving the loop or disposing stops it.
 */
export interface Watch extends AsyncIterable<readonly Event[]>, AsyncDisposable {}

/**
 * - `created`, `updated` (with `old`), `destroyed` (with the last contents).
 * - `bootstrapped`: the present contents were sent.
 * - `noop`: nothing happened; carries a bookmark.
 */
export type Event =
  | {
      readonly type: "created" | "destroyed";
      readonly resource: Resource;
      /** Missing on events that describe the present instead of a change: there is no place in history to go on from. */
      readonly bookmark?: Uint8Array | undefined;
    }
  | {
      readonly type: "updated";
      readonly resource: Resource;
      readonly old: Resource;
      readonly bookmark?: Uint8Array | undefined;
    }
  | { readonly type: "bootstrapped"; readonly resource?: undefined; readonly bookmark: Uint8Array }
  | { readonly type: "noop"; readonly resource?: undefined; readonly bookmark: Uint8Array };

/**
 * Optional: a core that can tear down in one step. `wrapCore()` uses it when it is there, and otherwise reads, updates and
 * watches. A core at the far end of a connection saves round trips with it and needs no right to read or watch.
 */
export interface NativeTeardown {
  teardown(pointer: Pointer, options?: OwnerOptions): Promise<boolean>;
  teardownAndDestroy(pointer: Pointer, options?: OwnerOptions & { readonly signal?: AbortSignal }): Promise<void>;
}

/** Describes what callers use: the core and what can be built from it. `wrapCore()` makes one. */
export interface State extends CoreState {
  /**
   * Reads, changes and writes until no other writer came in between.
   * Returning an equal resource from `change` leaves the stored one alone.
   */
  updateWithConflicts(
    pointer: Pointer,
    change: (current: Resource) => Resource,
    options?: UpdateOptions,
  ): Promise<Resource>;

  /** Waits until the condition holds and resolves to the resource. Rejects when the signal aborts. */
  watchFor(pointer: Pointer, condition: WatchCondition, signal?: AbortSignal): Promise<Resource>;

  /** Moves a resource to `tearingDown`; resolves to whether it has no finalizers left. */
  teardown(pointer: Pointer, options?: OwnerOptions): Promise<boolean>;

  /** Tears down, waits for the finalizers to go, destroys. */
  teardownAndDestroy(pointer: Pointer, options?: OwnerOptions & { readonly signal?: AbortSignal }): Promise<void>;

  addFinalizer(pointer: Pointer, ...finalizers: readonly string[]): Promise<void>;
  removeFinalizer(pointer: Pointer, ...finalizers: readonly string[]): Promise<void>;
}

/** Describes what to wait for; every given condition must hold. */
export interface WatchCondition {
  /** @default {["created", "updated"]} */
  readonly events?: readonly Event["type"][];
  readonly phases?: readonly Phase[];
  readonly finalizersEmpty?: boolean;
  readonly test?: (resource: Resource) => boolean;
}
