import { createWriteStream } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { makeFolder } from "@talos-ts/host";
import { writeTar, type TarEntry } from "@talos-ts/imager";

/** Logs of the processes of a cluster, and consoles of its nodes; what nodes keep themselves is not among them. */
const patterns = ["*.log", "nodes/*/*.log"];

/**
 * Packs the logs that this machine keeps of a cluster into a tar.gz file; a file that exists is replaced.
 *
 * @param directory Folder of the cluster.
 * @returns the names of the logs
 */
export async function saveClusterLogs(directory: string, file: string): Promise<readonly string[]> {
  const entries: TarEntry[] = [];
  for await (const path of glob(patterns, { cwd: directory })) {
    // Read at once: a node that runs goes on to write.
    entries.push({ type: "file", path, mode: 0o600, content: await readFile(join(directory, path)) });
  }
  await makeFolder(dirname(file));
  const time = Math.floor(Date.now() / 1000);
  await pipeline(Readable.from(writeTar(entries, time)), createGzip(), createWriteStream(file, { mode: 0o600 }));
  return entries.map(({ path }) => path).toSorted();
}
