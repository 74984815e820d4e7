/**
 * The one error shape of the project.
 *
 * `kind` says what went wrong in general terms and decides the gRPC status; `code` is the stable name of the exact
 * condition, the thing people search for and programs match on. Messages follow one standard: what was tried, on
 * what, expected and actual value; sentence case, no final period; `next` names the command to run next.
 */

/** Error conditions by name, with their gRPC status codes. */
export const errorKinds = {
  cancelled: 1,
  unknown: 2,
  "invalid-argument": 3,
  "deadline-exceeded": 4,
  "not-found": 5,
  "already-exists": 6,
  "permission-denied": 7,
  "resource-exhausted": 8,
  "failed-precondition": 9,
  aborted: 10,
  "out-of-range": 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  "data-loss": 15,
  unauthenticated: 16,
} as const satisfies Record<string, number>;

export type ErrorKind = keyof typeof errorKinds;

/** Fields of an `OsError`. */
export interface OsErrorInit {
  readonly kind: ErrorKind;
  /** Stable name of the condition, `area/condition`. Defaults to the kind. */
  readonly code?: string;
  readonly message: string;
  /** The command a person should run next. */
  readonly next?: string;
  /** Facts for programs; never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Survives two copies of this package in one process, where `instanceof` would not. */
const brand = Symbol.for("talos-ts.OsError");

/** The error of this system: a kind (the gRPC status), a stable code, a message, and what to do next. */
export class OsError extends Error {
  override readonly name = "OsError";
  readonly kind: ErrorKind;
  readonly code: string;
  readonly next: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(init: OsErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.kind = init.kind;
    this.code = init.code ?? init.kind;
    this.next = init.next;
    this.details = init.details ?? {};
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && brand in value;
  }

  /**
   * The only way to turn a caught value into an `OsError`.
   *
   * An `OsError` is returned as it is; an abort becomes `cancelled` (or `deadline-exceeded` for a timeout); a Node
   * system error keeps its `errno` name in `details`; everything else is `unknown` (or `fallback`).
   */
  static from(value: unknown, fallback: ErrorKind = "unknown"): OsError {
    if (value instanceof OsError) return value;
    if (!(value instanceof Error)) return new OsError({ kind: fallback, message: String(value), cause: value });
    if (value.name === "AbortError") return new OsError({ kind: "cancelled", message: value.message, cause: value });
    if (value.name === "TimeoutError") {
      return new OsError({ kind: "deadline-exceeded", message: value.message, cause: value });
    }
    const errno = (value as NodeJS.ErrnoException).code;
    if (typeof errno === "string") {
      const kind = errnoKinds[errno] ?? fallback;
      return new OsError({ kind, message: value.message, details: { errno }, cause: value });
    }
    return new OsError({ kind: fallback, message: value.message, cause: value });
  }
}

/** System errors that say more than "unknown". */
const errnoKinds: Readonly<Record<string, ErrorKind>> = {
  ENOENT: "not-found",
  EEXIST: "already-exists",
  EACCES: "permission-denied",
  EPERM: "permission-denied",
  ENOSPC: "resource-exhausted",
  EDQUOT: "resource-exhausted",
  EMFILE: "resource-exhausted",
  ECONNREFUSED: "unavailable",
  ECONNRESET: "unavailable",
  EPIPE: "unavailable",
  EHOSTUNREACH: "unavailable",
  ENETUNREACH: "unavailable",
  ETIMEDOUT: "deadline-exceeded",
};

/** The kind behind a gRPC status code; codes outside the standard are `unknown`. */
export function kindOfStatus(status: number): ErrorKind {
  return kindByStatus.get(status) ?? "unknown";
}

const kindByStatus = new Map<number, ErrorKind>(
  Object.entries(errorKinds).map(([kind, status]) => [status, kind as ErrorKind]),
);

/** Reports whether a caught value is an `OsError` of a kind. */
export function isKind(value: unknown, kind: ErrorKind): value is OsError {
  return value instanceof OsError && value.kind === kind;
}

/** Reports whether a caught value is an `OsError` with a code. */
export function isCode(value: unknown, code: string): value is OsError {
  return value instanceof OsError && value.code === code;
}

/** An error and what caused it, outermost first, in one line: `a: b: c`, without repeating a text. */
export function describeError(value: unknown): string {
  const parts: string[] = [];
  for (let current: unknown = value; current !== undefined && parts.length < 8;) {
    const message = current instanceof Error ? current.message : String(current);
    if (!parts.some((part) => part.includes(message))) parts.push(message);
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join(": ");
}
