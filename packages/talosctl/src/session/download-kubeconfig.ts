import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OsError, readTar } from "@talos-ts/base";
import { nodeErrorOf } from "@talos-ts/machinery/client";
import type { Data } from "@talos-ts/proto/common/common";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { Session } from "./session.ts";

/** The kubeconfig that a control plane node issues. */
export async function downloadKubeconfig(session: Pick<Session, "all">, signal: AbortSignal): Promise<string> {
  const bytes = Readable.from(bytesOf(session.all(MachineService).kubeconfig({}, { signal })));
  const archive = bytes.pipe(createGunzip());
  // `pipe` does not pass on errors of its source.
  bytes.once("error", (err) => archive.destroy(err));
  for await (const entry of readTar(archive as AsyncIterable<Buffer>)) {
    if (entry.name !== "kubeconfig") continue;
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry.content) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  }
  throw new OsError({
    kind: "data-loss",
    code: "cli/no-kubeconfig",
    message: 'Cannot find the file "kubeconfig" in the archive that the node sent',
    next: "talosctl version",
  });
}

async function* bytesOf(stream: AsyncIterable<Data>): AsyncGenerator<Uint8Array> {
  for await (const message of stream) {
    const error = nodeErrorOf(message);
    if (error !== undefined) throw error;
    if (message.bytes.length > 0) yield message.bytes;
  }
}
