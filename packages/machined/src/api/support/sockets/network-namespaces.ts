import type { Linux } from "@talos-ts/linux";
import { readdir, stat } from "node:fs/promises";

/** Folder of the network namespaces of containers. */
const folders = ["/run/netns", "/run/docker/netns"];

/** A network namespace that some process is in. */
export interface NetworkNamespace {
  /** Its file's name, or the kernel's name of it for one that has no file; empty for the machine's own. */
  readonly name: string;
  /** Folder of /proc that shows its network. */
  readonly proc: string;
}

/** Every network namespace of the machine, its own first. One without processes cannot be seen this way. */
export async function networkNamespaces(machine: {
  readonly linux: Linux;
  readonly root: string;
}): Promise<readonly NetworkNamespace[]> {
  const { procfs, textFiles } = machine.linux;
  const linkOf = (pid: number | "self"): Promise<string> =>
    textFiles.readLink(`/proc/${String(pid)}/ns/net`).catch(() => "");
  const own = await linkOf("self");
  const names = await namesByInode(machine.root);
  const found = new Map<string, NetworkNamespace>();
  for (const { pid } of await procfs.processes()) {
    const link = await linkOf(pid);
    if (link === "" || link === own || found.has(link)) continue;
    const inode = /\[(\d+)\]/.exec(link)?.[1] ?? "";
    found.set(link, { name: names.get(inode) ?? link, proc: `/proc/${String(pid)}/net` });
  }
  return [{ name: "", proc: "/proc/net" }, ...found.values()];
}

async function namesByInode(root: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const folder of folders) {
    for (const name of await readdir(`${root}${folder}`).catch(() => [])) {
      const info = await stat(`${root}${folder}/${name}`).catch(() => undefined);
      if (info !== undefined) names.set(String(info.ino), name);
    }
  }
  return names;
}
