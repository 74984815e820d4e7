import { describeError } from "@talos-ts/base";
import { redactPasswords } from "./redact.ts";
import type { NodeFacts, SupportFile } from "./support-file.ts";
import type { ZipWriter } from "./zip-writer.ts";

/** Longest wait for one file, in ms: a node that hangs must not hold up the bundle. */
const fileTimeoutMs = 60_000;

export interface CollectOptions {
  /** Folder of the files in the archive. */
  readonly folder: string;
  /** Files collected at once. */
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, name: string) => void;
}

/** Collects files into the archive. One that fails is recorded, and the others go on. */
export async function collectFiles(
  zip: ZipWriter,
  files: readonly SupportFile[],
  facts: Pick<NodeFacts, "files" | "errors">,
  { folder, workers, signal, progress }: CollectOptions,
): Promise<void> {
  const waiting = [...files];
  let done = 0;
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      signal.throwIfAborted();
      const path = `${folder}/${file.name}`;
      try {
        const content = await file.collect(AbortSignal.any([signal, AbortSignal.timeout(fileTimeoutMs)]));
        if (content !== undefined) {
          await zip.add(path, redactPasswords(Buffer.from(content)));
          facts.files.push(path);
        }
      } catch (err) {
        signal.throwIfAborted();
        facts.errors.push({ source: file.name, message: describeError(err) });
      }
      done += 1;
      progress(done, files.length, file.name);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, work));
}
