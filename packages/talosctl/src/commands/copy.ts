import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { OsError } from "@talos-ts/base";
import { makeFolder } from "@talos-ts/host";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { extractTar } from "../archive/extract-tar.ts";
import { gatherBytes } from "../archive/gather-bytes.ts";
import type { CommandDefinition } from "../command.ts";
import { archiveBytes } from "../session/archive-bytes.ts";
import { checkOneNode } from "../session/one-node.ts";
import { openSession } from "../session/session.ts";

export const command: CommandDefinition = {
  description: "Copies a file or a folder out of the machine: into a local folder, or to the output as a .tar.gz.",
  arguments: [
    { spec: "<path>", description: "file or folder on the machine" },
    { spec: "<local>", description: "local folder, or - for the archive itself" },
  ],
  examples: ["talosctl copy /var/log/pods ./pods", "talosctl cp /etc - > etc.tar.gz"],
  async run(invocation) {
    const { io, signal } = invocation;
    const [rootPath = "", local = ""] = invocation.args;
    if (local !== "-") await prepareFolder(local);
    await using session = await openSession(invocation);
    checkOneNode(session, "copy", invocation.args);
    const archive = archiveBytes(session.all(MachineService).copy({ rootPath }, { signal }));
    const bytes = gatherBytes(archive.bytes);
    try {
      if (local === "-") {
        for await (const chunk of bytes) {
          io.out(chunk);
          await io.drained?.(signal);
        }
      } else {
        const extract = (source: AsyncIterable<Buffer>): Promise<void> => extractTar(source, local);
        await pipeline(Readable.from(bytes), createGunzip({ chunkSize: unpackedChunkBytes }), extract, { signal });
      }
    } catch (err) {
      // What the node says is the cause of an archive that ends early.
      archive.rethrow();
      throw err;
    }
    archive.rethrow();
  },
};

/** Bytes that are unpacked at a time: each piece costs two turns of the thread pool, one to unpack and one to write it. */
const unpackedChunkBytes = 512 * 1024;

async function prepareFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) await makeFolder(path);
  else if (!found.isDirectory()) {
    throw new OsError({
      kind: "invalid-argument",
      code: "cli/not-a-folder",
      message: `local path ${JSON.stringify(path)} should be a directory`,
    });
  }
}
