import type { Linux } from "@talos-ts/linux";

export interface SocketOwner {
  readonly pid: number;
  readonly name: string;
}

/** Returns which process has which socket open, by the number of the socket; of several the first. */
export async function socketOwners({
  procfs,
  textFiles,
}: Pick<Linux, "procfs" | "textFiles">): Promise<ReadonlyMap<bigint, SocketOwner>> {
  const owners = new Map<bigint, SocketOwner>();
  for (const { pid, command } of await procfs.processes()) {
    const folder = `/proc/${String(pid)}/fd`;
    // Processes end while they are looked at, and some may not be looked into.
    const names = await textFiles.list(folder).catch(() => []);
    const links = await Promise.all(names.map((name) => textFiles.readLink(`${folder}/${name}`).catch(() => "")));
    for (const link of links) {
      const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1];
      if (inode !== undefined && !owners.has(BigInt(inode))) owners.set(BigInt(inode), { pid, name: command });
    }
  }
  return owners;
}
