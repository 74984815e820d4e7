import { OsError } from "@talos-ts/base";
import { describePointer, type Kind, type Phase, type Pointer } from "./resource.ts";

/** Stable names of the conditions a state can answer with. */
const stateErrorCodes = {
  notFound: "cosi/not-found",
  alreadyExists: "cosi/already-exists",
  version: "cosi/version-conflict",
  owner: "cosi/owner-conflict",
  phase: "cosi/phase-conflict",
  finalizers: "cosi/pending-finalizers",
  typeMismatch: "cosi/type-mismatch",
  unsupported: "cosi/unsupported",
  bookmark: "cosi/invalid-bookmark",
  overrun: "cosi/watch-overrun",
} as const;

export type StateErrorName = keyof typeof stateErrorCodes;

/** A pointer, with the version if the message is to name one. */
interface Versioned extends Pointer {
  readonly version?: number;
}

/** The parts of a pointer a guard may ask for. */
export type ErrorScope = Partial<Pointer>;

// The texts are those of the Go implementation, because people search for them. The kinds are the statuses its clients
// tell conflicts apart by, so a conflict crosses the wire without a table of its own.

/** Makes the error for a resource that does not exist. */
export function notFound(resource: Versioned): OsError {
  return make("not-found", "notFound", resource, `resource ${describe(resource)} doesn't exist`);
}

/** Makes the error for a resource that exists already. */
export function alreadyExists(resource: Versioned): OsError {
  return make("already-exists", "alreadyExists", resource, `resource ${describe(resource)} already exists`);
}

/** Makes the error for an update based on an older version than the stored one. */
export function versionConflict(resource: Versioned, expected: number, actual: number): OsError {
  const text = `expected version "${version(expected)}", actual version "${version(actual)}"`;
  return make("failed-precondition", "version", resource, `resource ${describe(resource)} update conflict: ${text}`);
}

/** Makes the error for a write by a controller that is not the owner. */
export function ownerConflict(resource: Versioned, owner: string): OsError {
  const text = `resource ${describe(resource)} is owned by ${JSON.stringify(owner)}`;
  return make("permission-denied", "owner", resource, text);
}

/** A new resource already names an owner other than the one who creates it. */
export function ownerAlreadySet(resource: Versioned, owner: string): OsError {
  return make("permission-denied", "owner", resource, `owner is already set to ${JSON.stringify(owner)}`);
}

/** Makes the error for an update of a resource in another phase than expected. */
export function phaseConflict(resource: Versioned, expected: Phase): OsError {
  return make("invalid-argument", "phase", resource, `resource ${describe(resource)} is not in phase ${expected}`);
}

/** Makes the error for destroying a resource that still has finalizers. */
export function pendingFinalizers(resource: Versioned, finalizers: readonly string[]): OsError {
  const text = `resource ${describe(resource)} has pending finalizers [${finalizers.join(" ")}]`;
  return make("failed-precondition", "finalizers", resource, text);
}

/** Makes the error for a resource of another type than expected. */
export function typeMismatch(resource: Versioned, expected: string): OsError {
  const text = `resource type mismatch: expected ${expected}, actual ${describe(resource)}`;
  return make("invalid-argument", "typeMismatch", resource, text);
}

/** An operation, or a combination of options, that this state does not offer. */
export function unsupported(message: string, kind?: Kind): OsError {
  return make("unimplemented", "unsupported", kind ?? {}, message);
}

/** Makes the error for a watch that starts at a bookmark this state did not give. */
export function invalidBookmark(kind: Kind): OsError {
  return make("failed-precondition", "bookmark", kind, "invalid watch bookmark");
}

/** Makes the error that ends a watch whose reader was too slow. */
export function watchOverrun(
  kind: Kind,
  lag: { readonly end: number; readonly position: number; readonly capacity: number },
): OsError {
  const where = `namespace ${JSON.stringify(kind.namespace)} type ${JSON.stringify(kind.type)}`;
  const text = `write pos ${lag.end}, pos ${lag.position}, capacity ${lag.capacity}`;
  return make("resource-exhausted", "overrun", kind, `buffer overrun: ${where}, ${text}`);
}

/** Reports whether an error says that a resource does not exist. */
export const isNotFound = guard("notFound");
/** Reports whether an error says that a resource exists already. */
export const isAlreadyExists = guard("alreadyExists");
/** Reports whether an error is a version conflict. */
export const isVersionConflict = guard("version");
/** Reports whether an error is an owner conflict. */
export const isOwnerConflict = guard("owner");
/** Reports whether an error is a phase conflict. */
export const isPhaseConflict = guard("phase");
/** Reports whether an error says that a resource has finalizers. */
export const isPendingFinalizers = guard("finalizers");
/** Reports whether an error says that the state does not have the operation. */
export const isUnsupported = guard("unsupported");
/** Reports whether an error refuses a bookmark. */
export const isInvalidBookmark = guard("bookmark");
/** Reports whether an error ended a watch whose reader was too slow. */
export const isWatchOverrun = guard("overrun");
/** Any reason for which the stored resource refused a write, although it was well formed. */
export const isConflict = guard("alreadyExists", "version", "owner", "phase", "finalizers");

/** An error of the given condition with a text that came from elsewhere, such as the far end of a connection. */
export function stateError(name: StateErrorName, scope: ErrorScope, message: string, cause: unknown): OsError {
  const { kind } = OsError.from(cause);
  return new OsError({ kind, code: stateErrorCodes[name], message, details: { ...scope }, cause });
}

function make(kind: OsError["kind"], name: StateErrorName, scope: ErrorScope, message: string): OsError {
  const { namespace, type, id } = scope;
  return new OsError({ kind, code: stateErrorCodes[name], message, details: { namespace, type, id } });
}

function guard(...names: readonly StateErrorName[]): (error: unknown, scope?: ErrorScope) => error is OsError {
  const codes: ReadonlySet<string> = new Set(names.map((name) => stateErrorCodes[name]));
  return (error, scope): error is OsError =>
    error instanceof OsError &&
    codes.has(error.code) &&
    (scope === undefined || Object.entries(scope).every(([key, value]) => error.details[key] === value));
}

function describe(resource: Versioned): string {
  return describePointer(resource, resource.version ?? 0);
}

function version(value: number): string {
  return value === 0 ? "undefined" : String(value);
}
