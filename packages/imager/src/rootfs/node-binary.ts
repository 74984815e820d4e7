import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Architecture } from "../architecture.ts";
import { cached, type Cached, cacheKey, type Progress } from "@talos-ts/host";
import { sha256File } from "../packages/fetch-packages.ts";
import { OsError } from "@talos-ts/base";
import type { Toolset } from "./toolset.ts";

/** Path of the pinned Node.js of this checkout. */
export function pinnedNode(architecture: Architecture): string {
  try {
    const require = createRequire(import.meta.url);
    return join(dirname(require.resolve(`${architecture.nodePackage}/package.json`)), "bin/node");
  } catch (err) {
    throw new OsError({
      kind: "failed-precondition",
      code: "image/no-node",
      message: `Cannot find the pinned Node.js: the package "${architecture.nodePackage}" is not installed`,
      next: "npm ci",
      cause: err,
    });
  }
}

/** Node.js without symbols, which are a fifth of it. */
export async function strippedNode(
  source: string,
  tools: Toolset,
  cacheRoot: string,
  progress: Progress,
): Promise<Cached> {
  const key = cacheKey((await sha256File(source)) ?? "", tools.key);
  const result = await cached(cacheRoot, "node", key, async (scratch) => {
    await tools.run("strip", ["-o", scratch, source]);
  });
  progress({ stage: "strip node", state: result.hit ? "cached" : "done" });
  return result;
}
