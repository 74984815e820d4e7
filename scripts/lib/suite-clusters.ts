import { appendFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeError } from "@talos-ts/base";
import { destroyCluster, listClusters } from "@talos-ts/provision";
import type { JobRecord } from "./run-jobs.ts";

/** Names the file in which a suite notes folders with clusters, so that they can be removed when it is interrupted. */
const variable = "TEST_CLUSTER_FOLDERS";

interface NotedFolder {
  /** Folder that is removed with all that is in it. */
  readonly folder: string;
  readonly clustersDirectory: string;
}

/** Notes a folder before clusters are made in it; does nothing where no runner wants to know. */
export function noteClusters(noted: NotedFolder): void {
  const file = process.env[variable];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(noted)}\n`);
}

/**
 * Makes a record for one run of a suite; removing destroys the clusters in noted folders, and the folders.
 *
 * `node --test` runs no `after` hooks when it is interrupted.
 *
 * @param destroy Destroys one cluster; only tests have another than the default.
 */
export async function createClusterRecord(destroy = destroyCluster): Promise<JobRecord> {
  const own = await mkdtemp(join(tmpdir(), "suite-"));
  const file = join(own, "folders");
  return {
    env: { [variable]: file },
    async remove() {
      const lines: string[] = [];
      for (const line of (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean)) {
        const { folder, clustersDirectory } = JSON.parse(line) as NotedFolder;
        const left = await listClusters(clustersDirectory);
        const failed: string[] = [];
        for (const name of left) {
          await destroy({ name, clustersDirectory }).then(
            () => lines.push(`removed cluster ${name} that the suite left`),
            (err: unknown) =>
              failed.push(`cannot remove cluster ${name} in ${clustersDirectory}: ${describeError(err)}`),
          );
        }
        lines.push(...failed);
        if (failed.length === 0) await rm(folder, { recursive: true, force: true });
      }
      await rm(own, { recursive: true, force: true });
      return lines;
    },
  };
}
