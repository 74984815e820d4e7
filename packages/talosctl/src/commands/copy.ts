import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { OsError } from "@talos-ts/base";
import { makeFolder } from "@talos-ts/host";
import { nodeErrorOf } from "@talos-ts/machinery/client";
import type { Data } from "@talos-ts/proto/common/common";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { extractTar } from "../archive/extract-tar.ts";
import type { CommandDefinition } from "../command.ts";
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
    checkOneNode(session, "copy");
    const bytes = bytesOf(session.all(MachineService).copy({ rootPath }, { signal }));
    if (local === "-") {
      for await (const chunk of bytes) {
        io.out(chunk);
        await io.drained?.();
      }
      return;
    }
    await pipeline(
      Readable.from(bytes),
      createGunzip(),
      (source) => extractTar(source as AsyncIterable<Buffer>, local),
      {
        signal,
      },
    );
  },
};

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

async function* bytesOf(stream: AsyncIterable<Data>): AsyncGenerator<Uint8Array> {
  for await (const message of stream) {
    const error = nodeErrorOf(message);
    if (error !== undefined) throw error;
    if (message.bytes.length > 0) yield message.bytes;
  }
}
