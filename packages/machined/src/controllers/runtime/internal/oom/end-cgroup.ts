import type { TextFiles } from "@talos-ts/linux";

/**
 * Kills all processes of a control group and of those below it. Resolves to their command lines.
 *
 * @throws OsError `file/<errno>`
 */
export async function endCgroup(files: TextFiles, path: string): Promise<readonly string[]> {
  const commands: string[] = [];
  for (const pid of await processesIn(files, path)) {
    const command = await files.read(`/proc/${pid}/cmdline`).catch(() => "");
    if (command !== "") commands.push(command.replace(/\0+$/, "").replaceAll("\0", " "));
  }
  await files.write(`${path}/cgroup.kill`, "1");
  return commands;
}

async function processesIn(files: TextFiles, path: string): Promise<readonly string[]> {
  const names: readonly string[] = await files.list(path).catch(() => []);
  if (!names.includes("cgroup.procs")) return [];
  const own = (await files.read(`${path}/cgroup.procs`).catch(() => "")).split("\n").filter((pid) => pid !== "");
  const below: string[] = [];
  for (const name of names) below.push(...(await processesIn(files, `${path}/${name}`)));
  return [...own, ...below];
}
