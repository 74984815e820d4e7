import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { OsError } from "@talos-ts/base";
import { resolvePath } from "../../support/files/resolve-path.ts";
import { tar } from "../../support/files/tar.ts";
import { walk, type FoundFile } from "../../support/files/walk.ts";
import type { MachineMethod } from "./method.ts";

/** A compressed archive of everything below a path. */
export const copy = (machine: { readonly root: string }): MachineMethod<"copy"> =>
  async function* ({ rootPath }, { signal }) {
    if (!rootPath.startsWith("/")) {
      throw new OsError({
        kind: "invalid-argument",
        code: "file/not-absolute",
        message: `path is not absolute ${rootPath}`,
      });
    }
    const { root } = machine;
    const files = walk(await resolvePath(root, rootPath), { root, signal });
    const archive = withLateError(tar(withoutFolderItself(files), { root, signal }));
    const source = Readable.from(archive.pieces);
    try {
      for await (const bytes of source.pipe(createGzip())) yield { bytes: bytes as Buffer };
    } finally {
      // A caller that leaves ends only the compressor; the file being read must be closed as well.
      source.destroy();
    }
    archive.rethrow();
  };

/** The receiver chooses the folder to unpack into; a folder that is copied gives only what is in it. */
async function* withoutFolderItself(files: AsyncIterable<FoundFile>): AsyncGenerator<FoundFile> {
  for await (const file of files) if (file.relative !== "." || file.error !== undefined) yield file;
}

/** Keeps an error until the end, so that the archive it is about arrives whole. */
function withLateError(source: AsyncIterable<Buffer>): {
  readonly pieces: AsyncIterable<Buffer>;
  readonly rethrow: () => void;
} {
  let failure: { readonly error: unknown } | undefined;
  async function* pieces(): AsyncGenerator<Buffer> {
    try {
      yield* source;
    } catch (error) {
      failure = { error };
    }
  }
  return {
    pieces: pieces(),
    rethrow: () => {
      if (failure !== undefined) throw failure.error;
    },
  };
}
