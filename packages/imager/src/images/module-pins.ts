import { OsError } from "@talos-ts/base";

/** Describes what the `go.mod` of a module of ours pins. */
export interface ModulePins {
  /** Version of a required module, with its `v`. @throws OsError `image/no-pin` */
  version(path: string): string;
}

/** Reads the versions that a `go.mod` requires. */
export function readPins(goMod: string): ModulePins {
  const versions = requirements(goMod);
  return {
    version(path) {
      const version = versions.get(path);
      if (version !== undefined) return version;
      throw new OsError({
        kind: "not-found",
        code: "image/no-pin",
        message: `Cannot determine the version of "${path}": the go.mod does not require it`,
      });
    },
  };
}

function requirements(goMod: string): ReadonlyMap<string, string> {
  const lines = goMod.matchAll(/^(?:require\s+|\t)([^\s()]+) (v\S+)(?: \/\/ indirect)?$/gm);
  return new Map([...lines].map(([, path = "", version = ""]) => [path, version]));
}

/**
 * Puts another version of Kubernetes into a `go.mod`, together with the modules that are released with it: they have the same
 * number with a 0 in front, and other releases have others of them. What Kubernetes needs besides is what that version was released
 * with: an older one may not compile with newer modules.
 *
 * @param version With its `v`.
 * @param released The `go.mod` of that version of Kubernetes; without it, its modules are taken to be those of the pinned one.
 */
export function withKubernetes(goMod: string, version: string, released: string = goMod): string {
  const pinned = readPins(goMod).version("k8s.io/kubernetes");
  if (version === pinned) return goMod;
  const staged = new Set([...stagedModules(goMod), ...stagedModules(released)]);
  const ofKubernetes = requirements(released);
  const staging = version.replace(/^v1\./, "v0.");
  const lines = goMod.split("\n").flatMap((line) => {
    const [path = "", second = ""] = line.trim().split(" ");
    if (path === "k8s.io/kubernetes") return [line.replace(second, version)];
    const follows = line.endsWith("// indirect");
    // Replacements are written anew, and what only follows from others is found anew.
    if (staged.has(path)) return second === "=>" || follows ? [] : [line.replace(second, staging)];
    return [follows ? line.replace(second, ofKubernetes.get(path) ?? second) : line];
  });
  const replacements = stagedModules(released).map((path) => `\t${path} => ${path} ${staging}`);
  return lines.flatMap((line) => (line === "replace (" ? [line].concat(replacements) : [line])).join("\n");
}

/** Modules that a `go.mod` replaces as parts of Kubernetes: by their release, or by a folder in Kubernetes' own. */
function stagedModules(goMod: string): string[] {
  return [...goMod.matchAll(/^\t(k8s\.io\/\S+) => (?:k8s\.io\/|\.\/staging\/)/gm)].map(([, path = ""]) => path);
}
