import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ImageSource } from "../source.ts";
import { absentAsUndefined } from "./replace-file.ts";
import { writeBlob } from "./writer.ts";

/** Keeps the blobs of a source in a folder, by digest, and takes them from there when they are wanted again. */
export function cachedSource(source: ImageSource, directory: string): ImageSource {
  return {
    ...source,
    resolve: (reference, signal) => source.resolve(reference, signal),
    async *blob(reference, descriptor, options = {}) {
      const path = join(directory, descriptor.digest);
      if ((await absentAsUndefined(() => stat(path)))?.size !== descriptor.size)
        await writeBlob(path, descriptor, source.blob(reference, descriptor, { signal: options.signal }));
      yield* createReadStream(path, { start: options.offset ?? 0 }) as AsyncIterable<Buffer>;
    },
  };
}
