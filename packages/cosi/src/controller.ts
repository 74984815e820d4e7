import type { Kind, Metadata, Pointer, Resource, ResourceInit, ResourceType } from "./resource.ts";
import type { Query } from "./query.ts";

/**
 * A controller turns inputs into outputs. What it may read and write is declared, not discovered: reading an undeclared
 * input or writing an undeclared output is an error, and two exclusive owners of one type are rejected at registration.
 */
export interface Controller {
  /** Owner of everything it writes, `domain.NameController`. */
  readonly name: string;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  /** A reconcile that takes longer is marked and logged, not ended. @default the runtime's */
  readonly reconcileDeadlineMs?: number;
  /**
   * Runs until `context.signal` aborts. Throwing restarts it after a backoff; returning ends it for good.
   * Most controllers loop over `context.events`; `transformController()` and friends write that loop.
   */
  run(context: ControllerContext): Promise<void>;
}

/** A kind of resources that a controller reads, all of them or one. */
export interface Input {
  readonly namespace: string;
  readonly type: string;
  /** Only this resource. @default every resource of the kind */
  readonly id?: string;
  readonly kind: InputKind;
}

/**
 * - `weak`: the controller wakes on changes.
 * - `strong`: it also keeps finalizers on the input, so it is woken until it lets go.
 * - `destroy-ready`: it wakes only when the resource is torn down and has no finalizers (for its own outputs).
 */
export type InputKind = "weak" | "strong" | "destroy-ready";

/** A kind of resources that a controller writes. */
export interface Output {
  readonly type: string;
  readonly kind: OutputKind;
}

/** `exclusive`: no other controller writes this type. `shared`: several do, each its own resources. */
export type OutputKind = "exclusive" | "shared";

/** Reads declared inputs and own outputs; served from the read cache. */
export interface Reader {
  /** @throws not found */
  get<S>(type: ResourceType<S>, id: string, namespace?: string): Promise<Resource<S>>;
  /** The resource, or `undefined` when there is none: the usual way to read an optional input. */
  find<S>(type: ResourceType<S>, id: string, namespace?: string): Promise<Resource<S> | undefined>;
  list<S>(
    type: ResourceType<S>,
    options?: { readonly namespace?: string; readonly query?: Query },
  ): Promise<readonly Resource<S>[]>;
}

/** Writes declared outputs on behalf of the controller, which becomes their owner. */
export interface Writer {
  create<S>(resource: Resource<S>): Promise<Resource<S>>;
  update<S>(resource: Resource<S>): Promise<Resource<S>>;
  /**
   * Creates the resource or changes the stored one to what `change` returns. A spec that equals the stored one writes
   * nothing. Counts as "touched" for `cleanupOutputs`.
   */
  modify<S>(
    type: ResourceType<S>,
    id: string,
    change: (current: S | undefined) => S,
    init?: ResourceInit,
  ): Promise<Resource<S>>;
  /**
   * As `modify`, for outputs that come and go: an earlier one of that id that is on its way out is replaced when nobody
   * holds it. While somebody does, nothing is written and it resolves to `undefined`; whoever lets go last wakes the
   * controller if it has the kind as input, `destroy-ready` or stronger.
   */
  put<S>(
    type: ResourceType<S>,
    id: string,
    change: (current: S | undefined) => S,
    init?: ResourceInit,
  ): Promise<Resource<S> | undefined>;
  /** Resolves to whether the resource has no finalizers left and may be destroyed. */
  teardown(pointer: Pointer): Promise<boolean>;
  destroy(pointer: Pointer): Promise<void>;
  /**
   * Destroys an output that nobody holds, and tears down one that somebody does; the wake-up is that of `put`. Resolves
   * to whether it is gone. Given its metadata, one without finalizers is not torn down first.
   */
  remove(output: Pointer & { readonly finalizers?: readonly string[] }): Promise<boolean>;
  addFinalizer(pointer: Pointer, ...finalizers: readonly string[]): Promise<void>;
  removeFinalizer(pointer: Pointer, ...finalizers: readonly string[]): Promise<void>;
}

/** Describes what a running controller gets: reads, writes, and events that say when to reconcile. */
export interface ControllerContext extends Reader, Writer {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** One value per reconcile; changes that come while the controller works are merged into the next. Starts with one. */
  readonly events: AsyncIterable<ReconcileEvent>;
  /** Wakes this controller again; with a delay, then, which replaces an earlier request with a delay. */
  queueReconcile(delayMs?: number): void;
  /** Replaces the declared inputs from now on. */
  updateInputs(inputs: readonly Input[]): Promise<void>;
  /** Tells the runtime that things are well, so that the next failure starts with a short backoff. */
  resetRestartBackoff(): void;
  /** Forgets what was touched; everything written from here on survives `cleanupOutputs`. */
  startTrackingOutputs(): void;
  /** Tears down and destroys own resources of these kinds that were not written since `startTrackingOutputs`. */
  cleanupOutputs(...kinds: readonly Kind[]): Promise<void>;
}

/** Describes why a controller was woken: the input that changed last, or `undefined` for the start and for own requests. */
export interface ReconcileEvent {
  readonly cause?: Pointer;
}

/** Works on a queue of resource ids, several at once, instead of on everything at every change. */
export interface QueueController {
  readonly name: string;
  readonly inputs: readonly QueueInput[];
  readonly outputs: readonly Output[];
  /** A reconcile that takes longer is marked and logged, not ended. @default the runtime's */
  readonly reconcileDeadlineMs?: number;
  /** Largest number of resources that may be worked on at once. @default {1} */
  readonly concurrency?: number;
  /**
   * Handles one primary resource. Throwing requeues it with backoff; throwing `RequeueAfter` requeues it after that time.
   */
  reconcile(context: QueueContext, pointer: Pointer): Promise<void>;
  /**
   * Translates a change of a mapped input into the primary resources it concerns. The metadata is that of the change,
   * so that a resource that is gone can still be mapped by its labels.
   */
  mapInput?(context: QueueContext, changed: Metadata): Promise<readonly Pointer[]>;
}

/**
 * - `primary`: its resources are the queue.
 * - `mapped`: changes go through `mapInput`.
 * - `mapped-destroy-ready`: likewise, but only when torn down without finalizers.
 */
export interface QueueInput {
  readonly namespace: string;
  readonly type: string;
  readonly id?: string;
  readonly kind: "primary" | "mapped" | "mapped-destroy-ready";
}

/** Describes what a queue controller gets for one item. */
export interface QueueContext extends Reader, Writer {
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** Structured log lines; the console form is `message {"key": "value"}`. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  with(fields: LogFields): Logger;
}

/** Values that belong to a log line. */
export type LogFields = Readonly<Record<string, unknown>>;
