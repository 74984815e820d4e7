import { dirname } from "node:path";
import { OsError } from "@talos-ts/base";

interface FileProblem {
  readonly text: string;
  readonly next: (path: string) => string;
}

const look = (path: string): string => `ls -l ${path}`;

/** Meaning of the codes of the kernel to the person who named the file. */
const problems: Readonly<Record<string, FileProblem>> = {
  ENOENT: { text: "there is no such file or folder", next: (path) => look(dirname(path)) },
  ENOTDIR: { text: "a part of its path is a file", next: (path) => look(dirname(path)) },
  EISDIR: { text: "it is a folder", next: look },
  EACCES: { text: "access is denied", next: look },
  EPERM: { text: "access is denied", next: look },
  EROFS: { text: "its file system is read-only", next: (path) => `df ${dirname(path)}` },
  ENOSPC: { text: "the disk is full", next: (path) => `df -h ${dirname(path)}` },
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
