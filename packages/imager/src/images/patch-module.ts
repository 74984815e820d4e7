import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";

/** A module that is built from a copy with parts left out. */
export interface PatchedModule {
  readonly path: string;
  /** Of the whole module, as sum.golang.org records it: a copy has no entry in `go.sum`. */
  readonly hash: Readonly<Record<string, string>>;
  /** Folder of the copy, beside `go.mod`. */
  readonly folder: string;
  /** Paths that are copied. */
  readonly keep: readonly string[];
  /** Packages that are left out, and the files that import them. */
  readonly without: readonly { readonly package: string; readonly importedBy: string }[];
}

/**
 * flannel without the backends `udp`, which needs a C compiler, and `tencentvpc`, whose modules the public proxy does not
 * serve. Neither can be chosen in a machine configuration.
 */
export const patchedModules: readonly PatchedModule[] = [
  {
    path: "github.com/flannel-io/flannel",
    hash: { "v0.28.9": "h1:9+P0Pc8hearNZZpW6/Cc/4vEOiXaqQonYayDDeyibqY=" },
    folder: "flannel",
    keep: ["go.mod", "go.sum", "main.go", "pkg"],
    without: [
      { package: "pkg/backend/udp", importedBy: "main.go" },
      { package: "pkg/backend/tencentvpc", importedBy: "main.go" },
    ],
  },
];

/**
 * Makes the copy of a module that was downloaded.
 *
 * @throws OsError `image/bad-patch` when a package that is to be left out is not imported: the module has changed.
 */
export async function patchModule(module: PatchedModule, downloaded: string, copy: string): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  for (const name of module.keep) {
    await cp(join(downloaded, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.endsWith("_test.go"),
    });
  }
  for (const { package: left, importedBy } of module.without) {
    const file = join(copy, importedBy);
    const text = await readFile(file, "utf8");
    const lines = text.split("\n");
    const rest = lines.filter((line) => !line.trim().endsWith(`_ "${module.path}/${left}"`));
    if (rest.length !== lines.length - 1) throw badPatch(module, left);
    // Modules are downloaded read-only, and so is the copy.
    await rm(file);
    await writeFile(file, rest.join("\n"));
    await rm(join(copy, left), { recursive: true, force: true });
  }
}

function badPatch(module: PatchedModule, left: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "image/bad-patch",
    message: `Cannot leave "${left}" out of module "${module.path}": nothing imports it`,
  });
}
