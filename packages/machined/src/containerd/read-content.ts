import { OsError } from "@talos-ts/base";
import type { ContainerdServices } from "./client.ts";

/** Reads a small blob of the content store. @throws not-found, resource-exhausted */
export async function readContent(
  { content }: Pick<ContainerdServices, "content">,
  digest: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const { data } of content.read({ digest }, signal === undefined ? {} : { signal })) {
    size += data.byteLength;
    if (size > limit) {
      const message = `blob ${digest} has more than ${String(limit)} bytes`;
      throw new OsError({ kind: "resource-exhausted", code: "image/too-large", message });
    }
    chunks.push(data);
  }
  return Buffer.concat(chunks);
}
