import { OsError } from "@talos-ts/base";
import { openForReading, readChunks } from "../../support/files/read-chunks.ts";
import { resolvePath } from "../../support/files/resolve-path.ts";
import type { MachineMethod } from "./method.ts";

export const read = (machine: { readonly root: string }): MachineMethod<"read"> =>
  async function* (request, { signal }) {
    const path = await resolvePath(machine.root, request.path);
    await using file = await openForReading(machine.root, path);
    if (!(await file.stat()).isFile()) {
      throw new OsError({
        kind: "invalid-argument",
        code: "file/not-regular",
        message: "path must be a regular file",
        details: { path },
        next: `talosctl list ${path}`,
      });
    }
    for await (const bytes of readChunks(file, path, signal)) yield { bytes };
  };
