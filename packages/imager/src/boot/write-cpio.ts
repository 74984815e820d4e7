import { OsError } from "@talos-ts/base";
import { layerOrder, sizeOf, withParents, type TarEntry } from "../images/tar-entry.ts";
import { readContent } from "./content.ts";

const fileTypes = { directory: 0o040000, file: 0o100000, symlink: 0o120000 } as const;
const trailer = "TRAILER!!!";

/**
 * Writes entries as a cpio archive in the "newc" format, which the kernel unpacks as initramfs. The same entries give the same
 * bytes: everything belongs to root, every time stamp is `time`, in seconds since 1970.
 *
 * @throws OsError `image/changed` when a file does not have the size that was promised.
 */
export async function* writeCpio(entries: readonly TarEntry[], time: number): AsyncGenerator<Buffer, void, undefined> {
  let inode = 0;
  for (const entry of layerOrder(withParents(entries))) {
    if (entry.type === "hardlink") throw unsupported(entry.path);
    inode += 1;
    const permissions = "mode" in entry ? entry.mode : 0o777;
    const target = entry.type === "symlink" ? Buffer.from(entry.target) : undefined;
    const size = entry.type === "file" ? sizeOf(entry) : (target?.length ?? 0);
    yield header({ path: entry.path, mode: fileTypes[entry.type] | permissions, inode, size, time });
    if (entry.type === "file") yield* readContent(entry.content, entry.path);
    if (target !== undefined) yield target;
    yield padding(size);
  }
  yield header({ path: trailer, mode: 0, inode: 0, size: 0, time: 0 });
}

interface Header {
  readonly path: string;
  readonly mode: number;
  readonly inode: number;
  readonly size: number;
  readonly time: number;
}

function header({ path, mode, inode, size, time }: Header): Buffer {
  const name = Buffer.from(`${path}\0`);
  const [uid, gid, links, major, minor, deviceMajor, deviceMinor, checksum] = [0, 0, 1, 0, 0, 0, 0, 0];
  const fields = [
    inode,
    mode,
    uid,
    gid,
    links,
    time,
    size,
    major,
    minor,
    deviceMajor,
    deviceMinor,
    name.length,
    checksum,
  ];
  const text = `070701${fields.map((field) => field.toString(16).toUpperCase().padStart(8, "0")).join("")}`;
  const used = text.length + name.length;
  return Buffer.concat([Buffer.from(text), name, padding(used)]);
}

/** Fills up to the next multiple of four bytes. */
function padding(bytes: number): Buffer {
  return Buffer.alloc((4 - (bytes % 4)) % 4);
}

function unsupported(path: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "image/hardlink",
    message: `Cannot put "${path}" into an initramfs: it is a hard link`,
  });
}
