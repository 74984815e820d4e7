import type { Kind, Phase, Pointer, Resource } from "./resource.ts";
import type { Query } from "./query.ts";

/**
 * What an implementor writes. Every method rejects with an `OsError` made by `errors.ts`:
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
   * Replaces the stored resource, whose version must be that of the given one; resolves to what is stored. An update
   * that changes nothing keeps the version and sends no event.
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

export interface OwnerOptions {
  /** The controller on whose behalf this happens. @default {""} */
  readonly owner?: string;
}

export type CreateOptions = OwnerOptions;

export interface UpdateOptions extends OwnerOptions {
  /** The phase the stored resource must be in; `any` accepts both. @default {"running"} */
  readonly expectedPhase?: Phase | "any";
}

export interface WatchOptions {
  /** Ends the watch. */
  readonly signal?: AbortSignal;
  /** Replay this many past events first, as far as history reaches. */
  readonly tailEvents?: number;
  /** Continue after the event that carried this bookmark. */
  readonly startFromBookmark?: Uint8Array;
  /** How many events may wait for a slow reader before the watch ends with an overrun. @default {8192} */
  readonly capacity?: number;
}

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
  | { readonly type: "created" | "destroyed"; readonly resource: Resource; readonly bookmark: Uint8Array }
  | { readonly type: "updated"; readonly resource: Resource; readonly old: Resource; readonly bookmark: Uint8Array }
  | { readonly type: "bootstrapped" | "noop"; readonly resource?: undefined; readonly bookmark: Uint8Array };

/** What callers use: the core and what can be built from it. `wrapCore()` makes one. */
export interface State extends CoreState {
  /**
   * Reads, changes and writes until no other writer came in between.
   * Returning the same object from `change` leaves the resource alone.
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

/** What to wait for; every given condition must hold. */
export interface WatchCondition {
  /** @default {["created", "updated"]} */
  readonly events?: readonly Event["type"][];
  readonly phases?: readonly Phase[];
  readonly finalizersEmpty?: boolean;
  readonly test?: (resource: Resource) => boolean;
}
