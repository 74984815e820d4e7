import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Linux } from "@talos-ts/linux";
import { type FileInfoSchema, ListRequest_Type } from "@talos-ts/proto/machine/file";
import { goMode } from "../../support/files/go-mode.ts";
import { resolvePath } from "../../support/files/resolve-path.ts";
import { walk, type FoundFile } from "../../support/files/walk.ts";
import type { MachineMethod } from "./method.ts";

const ofType: Readonly<Record<ListRequest_Type, (stats: NonNullable<FoundFile["stats"]>) => boolean>> = {
  [ListRequest_Type.REGULAR]: (stats) => stats.isFile(),
  [ListRequest_Type.DIRECTORY]: (stats) => stats.isDirectory(),
  [ListRequest_Type.SYMLINK]: (stats) => stats.isSymbolicLink(),
};

/** Attributes a system file may carry. */
const attributes = ["security.selinux", "security.capability", "system.posix_acl_access"];

export const list = (machine: { readonly linux: Linux; readonly root: string }): MachineMethod<"list"> =>
  async function* (request, { signal }) {
    const { root, linux } = machine;
    const deepest = request.recursionDepth > 0 ? request.recursionDepth : Infinity;
    const maxDepth = request.recurse ? deepest : 1;
    for await (const file of walk(await resolvePath(root, request.root), { root, maxDepth, signal })) {
      const { stats } = file;
      if (stats !== undefined && request.types.length > 0 && !request.types.some((type) => ofType[type]?.(stats)))
        continue;
      const xattrs = request.reportXattrs ? readAttributes(linux, `${root}${file.path}`) : [];
      yield describe(file, xattrs);
    }
  };

interface Attribute {
  readonly name: string;
  readonly data: Uint8Array;
}

function describe(file: FoundFile, xattrs: Attribute[]): MessageInitShape<typeof FileInfoSchema> {
  const { path, relative, stats, link, error } = file;
  const names = { name: path, relativeName: relative, xattrs };
  if (stats === undefined || error !== undefined) return { ...names, error: error?.message ?? "" };
  return {
    ...names,
    size: BigInt(stats.size),
    mode: goMode(stats.mode),
    modified: BigInt(Math.floor(stats.mtimeMs / 1000)),
    isDir: stats.isDirectory(),
    link,
    uid: stats.uid,
    gid: stats.gid,
  };
}

function readAttributes(linux: Linux, path: string): Attribute[] {
  return attributes.flatMap((name) => {
    try {
      const data = linux.files.getAttribute(path, name);
      return data === undefined ? [] : [{ name, data }];
    } catch {
      // Many file systems have no attributes at all.
      return [];
    }
  });
}
