import { OsError, type ErrorKind } from "@talos-ts/base";
import { stateError, type ErrorScope, type StateErrorName } from "../errors.ts";

type Method = "get" | "list" | "create" | "update" | "destroy" | "teardown" | "teardownAndDestroy" | "watch";

/** Conflicts by method and status. The same status means different things in different methods. */
const conflicts: Readonly<Record<Method, Partial<Record<ErrorKind, StateErrorName>>>> = {
  get: { "not-found": "notFound" },
  list: { "not-found": "notFound" },
  create: { "not-found": "notFound", "permission-denied": "owner", "already-exists": "alreadyExists" },
  update: {
    "not-found": "notFound",
    "permission-denied": "owner",
    "invalid-argument": "phase",
    "failed-precondition": "version",
  },
  destroy: { "not-found": "notFound", "permission-denied": "owner", "failed-precondition": "finalizers" },
  teardown: { "not-found": "notFound", "permission-denied": "owner", "failed-precondition": "phase" },
  teardownAndDestroy: { "not-found": "notFound", "permission-denied": "owner", "failed-precondition": "finalizers" },
  watch: { "failed-precondition": "bookmark", unimplemented: "unsupported" },
};

/** Names the conflict behind a failed call, keeping the server's text; other failures stay as they are. */
export function namedError(method: Method, { namespace, type, id }: ErrorScope, error: unknown): OsError {
  const known = OsError.from(error);
  const name = conflicts[method][known.kind];
  return name === undefined
    ? known
    : stateError(name, { namespace, type, ...(id !== undefined && { id }) } as ErrorScope, known.message, known);
}
