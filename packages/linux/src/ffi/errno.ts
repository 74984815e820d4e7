import { OsError, type ErrorKind } from "@talos-ts/base";
import { constants } from "node:os";
import { getSystemErrorMessage } from "node:util";

/** Second names of numbers that have a better known one. */
const aliases: ReadonlySet<string> = new Set(["EWOULDBLOCK", "ENOTSUP"]);

const names = new Map<number, string>(
  Object.entries(constants.errno)
    .filter(([name]) => !aliases.has(name))
    .map(([name, number]) => [number, name]),
);

/** Name of an error number, as `ENOENT` (errno(3)). */
export type ErrnoName = keyof typeof constants.errno;

export function errnoName(errno: number): string {
  return names.get(errno) ?? `E${String(errno)}`;
}

export function errnoNumber(name: string): number {
  return (constants.errno as Readonly<Record<string, number>>)[name] ?? 0;
}

/** Error kind per errno; others are `internal`. */
const kinds: Readonly<Record<string, ErrorKind>> = {
  EACCES: "permission-denied",
  EADDRINUSE: "already-exists",
  EADDRNOTAVAIL: "not-found",
  EAGAIN: "unavailable",
  EBUSY: "failed-precondition",
  EEXIST: "already-exists",
  EINVAL: "invalid-argument",
  EISDIR: "invalid-argument",
  ELOOP: "invalid-argument",
  EMFILE: "resource-exhausted",
  ENAMETOOLONG: "invalid-argument",
  ENETDOWN: "failed-precondition",
  ENETUNREACH: "unavailable",
  ENFILE: "resource-exhausted",
  ENOBUFS: "resource-exhausted",
  ENODATA: "not-found",
  ENODEV: "not-found",
  ENOENT: "not-found",
  ENOMEM: "resource-exhausted",
  ENOSPC: "resource-exhausted",
  ENOSYS: "unimplemented",
  ENOTBLK: "invalid-argument",
  ENOTDIR: "invalid-argument",
  ENOTEMPTY: "failed-precondition",
  ENOTSUP: "unimplemented",
  ENXIO: "not-found",
  EOPNOTSUPP: "unimplemented",
  EPERM: "permission-denied",
  EROFS: "failed-precondition",
  ESRCH: "not-found",
  ETIMEDOUT: "deadline-exceeded",
};

/** A system call that failed: what was tried, and the error number. */
export interface Failure {
  /** First half of the stable code: the second half is the errno name in lower case (`mount/ebusy`). */
  readonly area: string;
  /** Operation and its object, continuing the word "Cannot": `mount "tmpfs" on "/x"`. */
  readonly action: string;
  readonly errno: number | string;
  /** Explanation of the kernel in words, as netlink gives it. */
  readonly reason?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The error of a call the kernel refused: operands in the message, errno name in `details.errno`. */
export function kernelError(failure: Failure): OsError {
  const errno = typeof failure.errno === "number" ? errnoName(failure.errno) : failure.errno;
  const number = errnoNumber(errno);
  const reason = failure.reason ?? (number === 0 ? "unknown error" : getSystemErrorMessage(-number));
  return new OsError({
    kind: kinds[errno] ?? "internal",
    code: `${failure.area}/${errno.toLowerCase()}`,
    message: `Cannot ${failure.action}: ${reason} (${errno})`,
    details: { ...failure.details, errno },
    ...(failure.cause === undefined ? {} : { cause: failure.cause }),
  });
}

/** A file system error of Node as a kernel error; other values pass through `OsError.from`. */
export function fileError(area: string, action: string, cause: unknown): OsError {
  const errno =
    cause instanceof Error && !(cause instanceof OsError) ? (cause as NodeJS.ErrnoException).code : undefined;
  if (errno === undefined || errnoNumber(errno) === 0) return OsError.from(cause, "internal");
  return kernelError({ area, action, errno, cause });
}

/** Bytes from outside that do not follow their format. */
export function malformed(area: string, what: string, details: Readonly<Record<string, unknown>> = {}): OsError {
  return new OsError({ kind: "data-loss", code: `${area}/malformed`, message: `Cannot parse ${what}`, details });
}

/** Reports whether an error came from the kernel with this error number. */
export function hasErrno(value: unknown, errno: ErrnoName): boolean {
  return value instanceof OsError && value.details["errno"] === errno;
}
