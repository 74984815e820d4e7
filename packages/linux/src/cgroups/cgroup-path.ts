import { OsError } from "@talos-ts/base";

/** Refuses everything but `/name/name…`: the root itself and ways out of it are never meant. */
export function assertCgroupPath(path: string): string {
  const parts = path.split("/");
  const wrong = parts.slice(1).some((part) => part === "" || part === "." || part === ".." || part.includes("\0"));
  if (parts[0] === "" && parts.length > 1 && !wrong) return path;
  throw new OsError({
    kind: "invalid-argument",
    code: "cgroup/bad-path",
    message: `Cannot use "${path}" as a control group: expected a path like "/system/apid"`,
  });
}

/** Each step on the way down to a group: the group above (empty at the root) and the group. */
export function parentsOf(path: string): readonly (readonly [parent: string, group: string])[] {
  const parts = path.split("/").slice(1);
  return parts.map((_, index) => {
    const at = (length: number): string =>
      parts
        .slice(0, length)
        .map((part) => `/${part}`)
        .join("");
    return [at(index), at(index + 1)];
  });
}
