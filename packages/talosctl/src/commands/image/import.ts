import { createReadStream } from "node:fs";
import { access } from "node:fs/promises";
import { ImageService } from "@talos-ts/proto/machine/image";
import type { CommandDefinition } from "../../command.ts";
import { openSession, type Session } from "../../session/session.ts";
import { imageNamespace, namespaceOption } from "./image-namespace.ts";

/** Sent in one message. */
const chunkBytes = 512 * 1024;

export const command: CommandDefinition = {
  description: "Sends a tar archive in the OCI image layout to nodes, which keep and unpack the images in it.",
  arguments: [{ spec: "<file>", description: "tar archive" }],
  options: [namespaceOption],
  examples: ["talosctl image import app.tar", "talosctl image import --namespace system etcd.tar"],
  async run(invocation) {
    const { args, io, signal } = invocation;
    const [file = ""] = args;
    // Before any node is asked: a stream that fails half-way tells less.
    await access(file);
    await using session = await openSession(invocation);
    const containerd = imageNamespace(invocation);
    for (const node of session.targets) {
      const name = await importImageTo(session, node, { file, containerd, signal });
      io.err(`${node ?? session.defaultNode}: imported ${name}\n`);
    }
  },
};

/** Sends an archive to one node; returns the name of the first image in it. */
export async function importImageTo(
  session: Session,
  node: string | undefined,
  { file, containerd, signal }: ImportOptions,
): Promise<string> {
  const { name } = await session.one(ImageService, node).import(requests(file, containerd), { signal });
  return name;
}

interface ImportOptions {
  readonly file: string;
  readonly containerd: ReturnType<typeof imageNamespace>;
  readonly signal: AbortSignal;
}

async function* requests(file: string, containerd: ReturnType<typeof imageNamespace>) {
  yield { request: { case: "containerd" as const, value: containerd } };
  for await (const bytes of createReadStream(file, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    yield { request: { case: "imageChunk" as const, value: { bytes } } };
  }
}
