import { dirname } from "node:path";
import { OsError } from "@talos-ts/base";

interface FileProblem {
  readonly text: string;
  readonly next: (path: string) => string;
}

const look = (path: string): string => `ls -l ${path}`;

/** Texts of the C library, which scripts look for, and the place to look at next, by the code of the kernel. */
const problems: Readonly<Record<string, FileProblem>> = {
  ENOENT: { text: "no such file or directory", next: (path) => look(dirname(path)) },
  ENOTDIR: { text: "not a directory", next: (path) => look(dirname(path)) },
  EISDIR: { text: "is a directory", next: look },
  EACCES: { text: "permission denied", next: look },
  EPERM: { text: "operation not permitted", next: look },
  EROFS: { text: "read-only file system", next: (path) => `df ${dirname(path)}` },
  ENOSPC: { text: "no space left on device", next: (path) => `df -h ${dirname(path)}` },
};

/** Says in words what went wrong with a file on this side; anything else is returned as it is. */
export function explainFileError(err: unknown): unknown {
  if (!(err instanceof Error) || !("code" in err) || !("path" in err) || typeof err.path !== "string") return err;
  const problem = problems[String(err.code)];
  if (problem === undefined) return err;
  const { text, next } = problem;
  const verb = "syscall" in err && err.syscall === "mkdir" ? "make" : "open";
  return new OsError({
    kind: OsError.from(err, "failed-precondition").kind,
    code: "cli/file",
    message: `Cannot ${verb} ${JSON.stringify(err.path)}: ${text}`,
    next: next(err.path),
    details: { path: err.path, errno: err.code },
  });
}
