import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createHome } from "../integration/cluster-support.ts";

interface RunRecord {
  readonly pid: number;
  /** Home of the cluster, as of `createHome`. */
  readonly home: string;
}

const folder = join(import.meta.dirname, "../../.cache/chaos");
const recordOf = (name: string, within: string): string => join(within, `running-${name}.json`);

/** Records that this process has a cluster, so that a later one can remove it when this one is killed. Disposing removes the record. */
export async function recordRun(name: string, home: string, within: string = folder): Promise<AsyncDisposable> {
  const file = recordOf(name, within);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ pid: process.pid, home } satisfies RunRecord));
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

/**
 * Removes the cluster of a run of the same name that was killed.
 *
 * @param destroy Destroys the cluster of a home. @default `talosctl cluster destroy`
 * @throws when that run goes on
 */
export async function removeAbandoned(
  name: string,
  within: string = folder,
  destroy: (home: string) => Promise<void> = (home) => destroyCluster(name, home),
): Promise<void> {
  const file = recordOf(name, within);
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const { pid, home } = JSON.parse(text) as RunRecord;
  if (await isRun(pid)) throw new Error(`process ${String(pid)} works on cluster ${name}: choose another --name`);
  await destroy(home);
  await rm(home, { recursive: true, force: true });
  await rm(file, { force: true });
}

/** A number may be that of another process by now. */
async function isRun(pid: number): Promise<boolean> {
  const words = await readFile(`/proc/${String(pid)}/cmdline`, "utf8").catch(() => "");
  return words.includes("chaos");
}

async function destroyCluster(name: string, path: string): Promise<void> {
  const { code, stderr } = await createHome(path).then((home) => home.talosctl("cluster", "destroy", "--name", name));
  if (code !== 0) throw new Error(`cluster ${name} of a run that was killed cannot be removed: ${stderr}`);
}
