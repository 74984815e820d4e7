import type { IncomingMessage } from "node:http";
import { OsError } from "@talos-ts/base";

/** Reads a whole body. @throws resource-exhausted when it has more than `limit` bytes */
export async function readBody(response: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > limit) {
      response.destroy();
      throw new OsError({
        kind: "resource-exhausted",
        code: "registry/too-large",
        message: `response of the registry has more than ${String(limit)} bytes`,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
