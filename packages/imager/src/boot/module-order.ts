import { OsError } from "@talos-ts/base";

/**
 * Lists the files of modules and of all modules they need, in the order in which the kernel takes them.
 *
 * @param table Content of `modules.dep`; its paths are relative to the folder of the release.
 * @throws OsError `image/no-module` for a module that the kernel does not have.
 */
export function moduleOrder(table: string, names: readonly string[]): readonly string[] {
  const rows = new Map<string, readonly string[]>(
    table
      .split("\n")
      .filter((line) => line.includes(":"))
      .map((line) => {
        const [path = "", needs = ""] = line.split(":");
        return [moduleName(path), [...needs.trim().split(/\s+/).filter(Boolean).toReversed(), path]];
      }),
  );
  const files = names.flatMap((name) => {
    const found = rows.get(name.replaceAll("-", "_"));
    if (found !== undefined) return found;
    throw new OsError({
      kind: "not-found",
      code: "image/no-module",
      message: `Cannot put kernel module "${name}" into the initramfs: the kernel package does not have it`,
    });
  });
  return [...new Set(files)];
}

/** The name of a module as the kernel lists it: the file's name with underscores. */
function moduleName(path: string): string {
  return (path.split("/").at(-1) ?? "").replace(/\.ko(?:\.\w+)?$/, "").replaceAll("-", "_");
}
