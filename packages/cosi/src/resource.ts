/**
 * A resource is metadata and a spec, and both are immutable: to change one, build a new object and `update` the state.
 *
 * Immutability is what lets a state hand out the stored object itself instead of a copy, to any number of readers.
 */
export interface Resource<S = unknown> {
  readonly metadata: Metadata;
  readonly spec: S;
}

/** Describes what every resource has besides its spec. */
export interface Metadata {
  readonly namespace: string;
  /** Canonical type, `<PluralCamelName>.<suffix>`, as in `Members.cluster.talos.dev`. */
  readonly type: string;
  readonly id: string;
  /** Counts updates from 1. 0 means "not stored yet" and is `undefined` on the wire. */
  readonly version: number;
  /** Name of the controller that may change the resource; empty for resources that users own. */
  readonly owner: string;
  readonly phase: Phase;
  /** Milliseconds since the epoch, set by the state. */
  readonly created: number;
  readonly updated: number;
  /** Finalizers: owners that must release the resource before it can be destroyed. */
  readonly finalizers: readonly string[];
  readonly labels: Labels;
  readonly annotations: Labels;
}

/** Labels or annotations of a resource. */
export type Labels = Readonly<Record<string, string>>;

/**
 * - `running`: in use.
 * - `tearingDown`: on its way out; only finalizers may still change, and it may be destroyed once there are none.
 */
export type Phase = "running" | "tearingDown";

/** All resources of one type in one namespace. */
export interface Kind {
  readonly namespace: string;
  readonly type: string;
}

/** One resource. */
export interface Pointer extends Kind {
  readonly id: string;
}

/**
 * Describes how a spec travels: protobuf bytes between programs, a plain value for people (YAML and JSON output keeps the order
 * of its keys).
 */
export interface SpecCodec<S> {
  encode(spec: S): Uint8Array;
  /** @throws {OsError} when the bytes are not a spec of this type */
  decode(bytes: Uint8Array): S;
  /** The value printed by `-o yaml` and `-o json`. */
  toPlain(spec: S): unknown;
}

/** A resource type as code sees it: its name, where it lives by default, and how its spec travels. */
export interface ResourceType<S> {
  readonly type: string;
  readonly namespace: string;
  /** Id of the only resource of this type; `undefined` for types of which there are several. */
  readonly id?: string | undefined;
  readonly codec: SpecCodec<S>;
}

/** The spec of a type nobody registered here: carried as it came. */
export interface RawSpec {
  readonly proto: Uint8Array;
  readonly yaml: string;
}

/** Metadata of a new resource that differ from the defaults. */
export interface ResourceInit {
  readonly namespace?: string;
  readonly owner?: string;
  readonly phase?: Phase;
  readonly finalizers?: readonly string[];
  readonly labels?: Labels;
  readonly annotations?: Labels;
}

// Most resources have none of these; as resources are immutable, all of those can share one.
const noFinalizers: readonly string[] = Object.freeze([]);
const noLabels: Labels = Object.freeze({});

/** A resource that is not stored yet. */
export function createResource<S>(type: ResourceType<S>, id: string, spec: S, init: ResourceInit = {}): Resource<S> {
  return {
    metadata: {
      namespace: init.namespace ?? type.namespace,
      type: type.type,
      id,
      version: 0,
      owner: init.owner ?? "",
      phase: init.phase ?? "running",
      created: 0,
      updated: 0,
      finalizers: init.finalizers ?? noFinalizers,
      labels: init.labels ?? noLabels,
      annotations: init.annotations ?? noLabels,
    },
    spec,
  };
}

/**
 * Gives the pointer of a resource.
 *
 * @param namespace @default the namespace of the type
 */
export function pointerTo(type: ResourceType<unknown>, id: string, namespace: string = type.namespace): Pointer {
  return { namespace, type: type.type, id };
}

/**
 * Gives the kind of all resources of a type.
 *
 * @param namespace @default the namespace of the type
 */
export function kindOf(type: ResourceType<unknown>, namespace: string = type.namespace): Kind {
  return { namespace, type: type.type };
}

/** `Type.suffix(namespace/id@version)`, the form used in every message about a resource. */
export function describePointer(pointer: Pointer, version?: number): string {
  const at = version === undefined ? "" : `@${version === 0 ? "undefined" : String(version)}`;
  return `${pointer.type}(${pointer.namespace}/${pointer.id}${at})`;
}
