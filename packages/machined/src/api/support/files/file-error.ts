import { dirname } from "node:path";
import { OsError } from "@talos-ts/base";

/** Texts of the C library for the errors that people meet when they look at files. */
const texts: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EAGAIN: "resource temporarily unavailable",
  EINVAL: "invalid argument",
  EIO: "input/output error",
  EISDIR: "is a directory",
  ELOOP: "too many levels of symbolic links",
  ENAMETOOLONG: "file name too long",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
  EPERM: "operation not permitted",
};

/** `stat /x: no such file or directory`: the form in which clients know errors of files. */
export function fileError(operation: string, path: string, err: unknown): OsError {
  const errno = (err as NodeJS.ErrnoException).code ?? "";
  const { kind, message } = OsError.from(err);
  return new OsError({
    kind: errno === "ENOTDIR" ? "not-found" : kind,
    code: `file/${errno}`,
    message: `${operation} ${path}: ${texts[errno] ?? message}`,
    next: `talosctl list ${dirname(path)}`,
    cause: err,
  });
}

/** The errno a system call would set. */
export function errno(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(texts[code] ?? code), { code });
}
