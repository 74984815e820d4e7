import { createWriteStream } from "node:fs";
import { truncate } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OsError } from "@talos-ts/base";
import { contentSize, readContent, type Content } from "./content.ts";

/** File of a FAT file system; folders and names have at most eight characters, and three behind a dot, all in capitals. */
export interface FatFile {
  /** As in `EFI/BOOT/BOOTX64.EFI`. */
  readonly path: string;
  readonly content: Content;
}

export interface FatOptions {
  /** At most eleven characters. */
  readonly label: string;
  /** Tells file systems with the same label apart. */
  readonly volumeId: number;
  /** Time of every file, in seconds since 1970. */
  readonly time: number;
}

const sectorBytes = 512;
const clusterBytes = 4096;
const reservedSectors = 32;
const fatCopies = 2;
const entryBytes = 32;
const entryBytesOfFat = 4;
/** With fewer clusters it would be FAT16 to whoever reads it. */
const leastClusters = 65_600;
const firstCluster = 2;
const attributes = { label: 0x08, folder: 0x10, file: 0x20 } as const;
const endOfChain = 0x0fff_ffff;

interface Folder {
  readonly kind: "folder";
  readonly children: Map<string, Folder | File>;
  cluster: number;
}

interface File {
  readonly kind: "file";
  readonly path: string;
  readonly content: Content;
  cluster: number;
}

/**
 * Writes a file system with these files, as UEFI reads it from a disk without partitions: FAT32. The same files give the same bytes.
 *
 * @throws OsError `image/fat-name`; `image/changed` when a file does not have the size that was promised.
 */
export async function writeFat(path: string, files: readonly FatFile[], options: FatOptions): Promise<void> {
  const root = treeOf(files);
  const folders = foldersBelow(root);
  const all: (Folder | File)[] = [
    ...folders,
    ...folders.flatMap(({ children }) => [...children.values()].filter(isFile)),
  ];
  let next = firstCluster;
  for (const each of all) {
    const count = clustersOf(each);
    each.cluster = count === 0 ? 0 : next;
    next += count;
  }
  const clusters = Math.max(leastClusters, next - firstCluster);
  const fatSectors = Math.ceil(((clusters + firstCluster) * entryBytesOfFat) / sectorBytes);
  const sectors = reservedSectors + fatCopies * fatSectors + clusters * (clusterBytes / sectorBytes);
  const shape = { sectors, fatSectors, next, free: clusters + firstCluster - next };
  await pipeline(Readable.from(bytesOf(root, all, shape, options), { objectMode: false }), createWriteStream(path));
  // What is free is a hole.
  await truncate(path, sectors * sectorBytes);
}

interface Shape {
  readonly sectors: number;
  readonly fatSectors: number;
  /** First free cluster. */
  readonly next: number;
  readonly free: number;
}

async function* bytesOf(
  root: Folder,
  all: readonly (Folder | File)[],
  shape: Shape,
  options: FatOptions,
): AsyncGenerator<Buffer, void, undefined> {
  yield reservedArea(shape, options);
  const table = fileAllocationTable(all, shape);
  for (let copy = 0; copy < fatCopies; copy += 1) yield table;
  const parents = new Map<Folder | File, Folder>();
  for (const each of all.filter(isFolder)) for (const child of each.children.values()) parents.set(child, each);
  for (const each of all) {
    if (each.kind === "folder") {
      yield folderBytes(each, each === root ? "root" : (parents.get(each) ?? root), root, options);
      continue;
    }
    yield* readContent(each.content, each.path);
    yield Buffer.alloc(clustersOf(each) * clusterBytes - contentSize(each.content));
  }
}

function reservedArea({ sectors, fatSectors, next, free }: Shape, { label, volumeId }: FatOptions): Buffer {
  const area = Buffer.alloc(reservedSectors * sectorBytes);
  const boot = area.subarray(0, sectorBytes);
  boot.set([0xeb, 0x58, 0x90], 0);
  boot.write("MSWIN4.1", 3, "latin1");
  boot.writeUInt16LE(sectorBytes, 11);
  boot.writeUInt8(clusterBytes / sectorBytes, 13);
  boot.writeUInt16LE(reservedSectors, 14);
  boot.writeUInt8(fatCopies, 16);
  boot.writeUInt8(0xf8, 21);
  boot.writeUInt16LE(63, 24);
  boot.writeUInt16LE(255, 26);
  boot.writeUInt32LE(sectors, 32);
  boot.writeUInt32LE(fatSectors, 36);
  boot.writeUInt32LE(firstCluster, 44);
  boot.writeUInt16LE(1, 48);
  boot.writeUInt16LE(6, 50);
  boot.writeUInt8(0x80, 64);
  boot.writeUInt8(0x29, 66);
  boot.writeUInt32LE(volumeId, 67);
  boot.write(label.padEnd(11), 71, 11, "latin1");
  boot.write("FAT32   ", 82, "latin1");
  boot.writeUInt16LE(0xaa55, 510);
  const info = area.subarray(sectorBytes, 2 * sectorBytes);
  info.write("RRaA", 0, "latin1");
  info.write("rrAa", 484, "latin1");
  info.writeUInt32LE(free, 488);
  info.writeUInt32LE(next, 492);
  info.writeUInt16LE(0xaa55, 510);
  // Both once more, for whoever finds the first two damaged.
  area.copy(area, 6 * sectorBytes, 0, 2 * sectorBytes);
  return area;
}

function fileAllocationTable(all: readonly (Folder | File)[], { fatSectors }: Shape): Buffer {
  const table = Buffer.alloc(fatSectors * sectorBytes);
  const put = (cluster: number, value: number): void => void table.writeUInt32LE(value, cluster * entryBytesOfFat);
  put(0, 0x0fff_fff8);
  put(1, endOfChain);
  for (const each of all) {
    const last = each.cluster + clustersOf(each) - 1;
    for (let cluster = each.cluster; cluster < last; cluster += 1) put(cluster, cluster + 1);
    if (last >= each.cluster && each.cluster !== 0) put(last, endOfChain);
  }
  return table;
}

function folderBytes(folder: Folder, parent: Folder | "root", root: Folder, options: FatOptions): Buffer {
  const entry = (name: string, attribute: number, cluster: number, size: number): Buffer => {
    const bytes = Buffer.alloc(entryBytes);
    const { date, time } = dosTime(options.time);
    bytes.write(name, 0, 11, "latin1");
    bytes.writeUInt8(attribute, 11);
    bytes.writeUInt16LE(time, 14);
    bytes.writeUInt16LE(date, 16);
    bytes.writeUInt16LE(date, 18);
    bytes.writeUInt16LE(Math.floor(cluster / 0x1_0000), 20);
    bytes.writeUInt16LE(time, 22);
    bytes.writeUInt16LE(date, 24);
    bytes.writeUInt16LE(cluster % 0x1_0000, 26);
    bytes.writeUInt32LE(size, 28);
    return bytes;
  };
  const first =
    parent === "root"
      ? [entry(options.label.padEnd(11), attributes.label, 0, 0)]
      : [
          entry(".".padEnd(11), attributes.folder, folder.cluster, 0),
          // The root has no number where it is a parent.
          entry("..".padEnd(11), attributes.folder, parent === root ? 0 : parent.cluster, 0),
        ];
  const children = [...folder.children].map(([name, child]) =>
    child.kind === "folder"
      ? entry(shortName(name), attributes.folder, child.cluster, 0)
      : entry(shortName(name), attributes.file, child.cluster, contentSize(child.content)),
  );
  const bytes = Buffer.alloc(clustersOf(folder) * clusterBytes);
  Buffer.concat([...first, ...children]).copy(bytes);
  return bytes;
}

function treeOf(files: readonly FatFile[]): Folder {
  const root: Folder = { kind: "folder", children: new Map(), cluster: 0 };
  for (const { path, content } of files) {
    const names = path.split("/");
    const last = names.pop() ?? "";
    let folder = root;
    for (const name of names) {
      const present = folder.children.get(name);
      const child: Folder = present?.kind === "folder" ? present : { kind: "folder", children: new Map(), cluster: 0 };
      folder.children.set(name, child);
      folder = child;
    }
    folder.children.set(last, { kind: "file", path, content, cluster: 0 });
  }
  return root;
}

function foldersBelow(folder: Folder): Folder[] {
  return [folder, ...[...folder.children.values()].filter(isFolder).flatMap(foldersBelow)];
}

function isFolder(each: Folder | File): each is Folder {
  return each.kind === "folder";
}

function isFile(each: Folder | File): each is File {
  return each.kind === "file";
}

/** Two entries more than its children: the label, or the folder itself and its parent. */
function clustersOf(each: Folder | File): number {
  const bytes = each.kind === "folder" ? (each.children.size + 2) * entryBytes : contentSize(each.content);
  return Math.ceil(bytes / clusterBytes);
}

function shortName(name: string): string {
  const match = /^([A-Z0-9_-]{1,8})(?:\.([A-Z0-9_-]{1,3}))?$/.exec(name);
  if (match !== null) return `${(match[1] ?? "").padEnd(8)}${(match[2] ?? "").padEnd(3)}`;
  throw new OsError({
    kind: "invalid-argument",
    code: "image/fat-name",
    message: `Cannot put "${name}" into a FAT file system: expected at most eight capitals or digits, and three behind a dot`,
  });
}

function dosTime(seconds: number): { readonly date: number; readonly time: number } {
  const at = new Date(seconds * 1000);
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}
