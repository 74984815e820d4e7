import { open, rename, rm } from "node:fs/promises";
import { nodeErrorOf } from "@talos-ts/machinery/client";
import { checkSnapshot } from "@talos-ts/machinery/etcd";
import type { Data } from "@talos-ts/proto/common/common";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { checkOneNode } from "../../session/one-node.ts";
import { openSession } from "../../session/session.ts";

export const command: CommandDefinition = {
  description:
    "Saves the database of the node's etcd. The file gets its name only once it is on disk and its checksum and contents were verified.",
  arguments: [{ spec: "<path>", description: "file to write; one that exists is replaced" }],
  examples: ["talosctl etcd snapshot db.snapshot", "talosctl bootstrap --recover-from db.snapshot"],
  async run(invocation) {
    const { io, signal } = invocation;
    const [path = ""] = invocation.args;
    await using session = await openSession(invocation);
    checkOneNode(session, "etcd snapshot", invocation.args);
    const part = `${path}.part`;
    try {
      const size = await save(part, session.all(MachineService).etcdSnapshot({}, { signal }));
      const { hash, revision, totalKeys, totalSize } = await checkSnapshot(part);
      await rename(part, path);
      io.out(`etcd snapshot saved to ${JSON.stringify(path)} (${size} bytes)\n`);
      io.out(`snapshot info: hash ${hash}, revision ${revision}, total keys ${totalKeys}, total size ${totalSize}\n`);
    } finally {
      await rm(part, { force: true });
    }
  },
};

/** Writes what the node sends through to the disk, and counts the bytes. */
async function save(path: string, stream: AsyncIterable<Data>): Promise<number> {
  await using file = await open(path, "w", 0o600);
  let size = 0;
  for await (const message of stream) {
    const error = nodeErrorOf(message);
    if (error !== undefined) throw error;
    await file.writeFile(message.bytes);
    size += message.bytes.length;
  }
  await file.sync();
  return size;
}
