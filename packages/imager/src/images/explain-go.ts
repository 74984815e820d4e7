import { isCode, OsError } from "@talos-ts/base";

interface Explanation {
  readonly pattern: RegExp;
  readonly error: (
    match: RegExpExecArray,
    directory: string,
  ) => Omit<ConstructorParameters<typeof OsError>[0], "cause">;
}

/** Explanations of what goes wrong outside of this program when modules are built, most telling first. */
const explanations: readonly Explanation[] = [
  {
    pattern: /no space left on device|disk quota exceeded/i,
    error: (_match, directory) => ({
      kind: "resource-exhausted",
      code: "image/no-space",
      message: `Cannot build images: there is no space left in "${directory}"; what is finished is kept, the next build goes on from there`,
      next: `df -h ${directory}`,
    }),
  },
  {
    pattern: /(\S+@v\S+?): (?:verifying \S+|checksum mismatch|SECURITY ERROR)/,
    error: ([, module = ""]) => ({
      kind: "data-loss",
      code: "image/module-hash",
      message: `Cannot use module ${module}: its hash is not the pinned one`,
      next: "go env GOPROXY (where modules come from)",
    }),
  },
  {
    pattern: /(\S+@v[^\s:]+): (?:[\s\S]*?)(40[34]|410) /,
    error: ([, module = "", status = ""]) => ({
      kind: "unavailable",
      code: "image/module-refused",
      message: `Cannot download module ${module}: the module proxy answers ${status}, it does not serve this version`,
      next: "talosctl cluster create --images pull, or --kubernetes-version with a version that is served",
    }),
  },
  {
    pattern: /dial tcp|no such host|i\/o timeout|connection refused|TLS handshake/,
    error: () => ({
      kind: "unavailable",
      code: "image/no-proxy",
      message: "Cannot download Go modules: the module proxy does not answer",
      next: "go env GOPROXY, or talosctl cluster create --images none",
    }),
  },
];

/** Says what a failed `go` command means to the person who wanted images; other errors are returned as they are. */
export function explainGo(err: unknown, directory: string): unknown {
  if (!isCode(err, "tool/failed")) return err;
  const stderr = String(err.details["stderr"] ?? "");
  for (const { pattern, error } of explanations) {
    const match = pattern.exec(stderr);
    if (match !== null) return new OsError({ ...error(match, directory), cause: err });
  }
  return err;
}

const shownLines = 8;

/**
 * Says what the compiler said. `go build -v` names packages that it compiles meanwhile, often thousands, so that the end of its
 * output tells nothing.
 *
 * @param lines All that it wrote to standard error.
 */
export function explainCompile(err: unknown, program: string, lines: readonly string[]): unknown {
  const problems = lines.filter((line) => !/^[\w.~/-]*$/.test(line));
  if (!isCode(err, "tool/failed") || problems.length === 0) return err;
  return new OsError({
    kind: "failed-precondition",
    code: "image/compile",
    message: `Cannot build ${program}: ${problems.slice(0, shownLines).join("\n")}`,
    next: "talosctl cluster create --images pull, or without --kubernetes-version",
    cause: err,
  });
}
