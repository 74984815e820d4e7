import { OsError } from "@talos-ts/base";

/** What the `go.mod` of a module of ours pins. */
export interface ModulePins {
  /** Version of a required module, with its `v`. @throws OsError `image/no-pin` */
  version(path: string): string;
}

/** Reads the versions that a `go.mod` requires. */
export function readPins(goMod: string): ModulePins {
  const versions = new Map<string, string>();
  for (const line of goMod.split("\n")) {
    const match = /^(?:require\s+|\t)([^\s()]+) (v\S+)(?: \/\/ indirect)?$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) versions.set(match[1], match[2]);
  }
  return {
    version(path) {
      const version = versions.get(path);
      if (version !== undefined) return version;
      throw new OsError({
        kind: "not-found",
        code: "image/no-pin",
        message: `Cannot tell the version of "${path}": the go.mod does not require it`,
      });
    },
  };
}

/**
 * Puts another version of Kubernetes into a `go.mod`: the main module and all modules that are released with it, which have
 * the same number with a 0 in front.
 *
 * @param version With its `v`.
 */
export function withKubernetes(goMod: string, version: string): string {
  const pinned = readPins(goMod).version("k8s.io/kubernetes");
  const staged = (of: string): string => of.replace(/^v1\./, "v0.");
  return goMod
    .split("\n")
    .map((line) => {
      if (!/(?:^|\s)k8s\.io\//.test(line)) return line;
      return line.replaceAll(new RegExp(` (?:${literal(pinned)}|${literal(staged(pinned))})(?=\\s|$)`, "g"), (found) =>
        found === ` ${pinned}` ? ` ${version}` : ` ${staged(version)}`,
      );
    })
    .join("\n");
}

function literal(text: string): string {
  return text.replaceAll(/[.+]/g, "\\$&");
}
