import type { FileHandle } from "node:fs/promises";
import {
  check,
  pageFlags,
  pageHeaderBytes,
  readBranch,
  readLeaf,
  readPageHeader,
  type LeafElement,
} from "./bolt-page.ts";

const magic = 0xed0c_daed;
const version = 2;
const metaBytes = 64;
const bucketHeaderBytes = 16;
/** A tree of this depth holds more keys than any disk. */
const maxDepth = 64;

/** The newest state of a bbolt database: the tree of its buckets, and how large it is. */
interface Meta {
  readonly pageSize: number;
  readonly rootPage: bigint;
  /** Number of pages in use or free. */
  readonly pages: bigint;
  readonly transaction: bigint;
}

/** A bbolt database that is read from its file, page by page. */
export interface BoltFile {
  readonly sizeBytes: number;
  /** Buckets in the order of their names, each with its pairs in the order of their keys. */
  buckets(): AsyncGenerator<{ readonly name: Buffer; readonly pairs: AsyncIterable<LeafElement> }>;
}

/** @throws {OsError} `etcd/bad-snapshot` */
export async function openBoltFile(file: FileHandle): Promise<BoltFile> {
  const meta = await newestMeta(file);
  let pagesRead = 0n;

  async function readPage(id: bigint): Promise<Buffer> {
    // Pages form a tree, so none is read twice; a file that says otherwise would never end.
    pagesRead += 1n;
    check(id < meta.pages && pagesRead <= meta.pages * 2n, "its pages do not form a tree");
    const offset = Number(id) * meta.pageSize;
    const first = await readAt(file, offset, meta.pageSize);
    const { overflow } = readPageHeader(first);
    if (overflow === 0) return first;
    check(id + BigInt(overflow) < meta.pages, "a page reaches beyond the end");
    return readAt(file, offset, meta.pageSize * (overflow + 1));
  }

  async function* walk(page: Buffer, depth = 0): AsyncGenerator<LeafElement> {
    check(depth < maxDepth, "its tree is too deep");
    const { flags } = readPageHeader(page);
    if ((flags & pageFlags.leaf) !== 0) {
      yield* readLeaf(page);
      return;
    }
    check((flags & pageFlags.branch) !== 0, "a page of its tree is neither a branch nor a leaf");
    for (const { page: id } of readBranch(page)) yield* walk(await readPage(id), depth + 1);
  }

  /** Small buckets are kept within the value that describes them. */
  async function* pairsOf(bucket: Buffer): AsyncGenerator<LeafElement> {
    check(bucket.length >= bucketHeaderBytes, "a bucket has no root");
    const root = bucket.readBigUInt64LE(0);
    if (root !== 0n) yield* walk(await readPage(root));
    else if (bucket.length > bucketHeaderBytes) yield* walk(bucket.subarray(bucketHeaderBytes));
  }

  return {
    sizeBytes: Number(meta.pages) * meta.pageSize,
    async *buckets() {
      for await (const { key, value, isBucket } of walk(await readPage(meta.rootPage))) {
        check(isBucket, "its root has something else than buckets");
        yield { name: key, pairs: pairsOf(value) };
      }
    },
  };
}

/** A transaction writes the older of the two copies, so the valid one with the higher number is the state. */
async function newestMeta(file: FileHandle): Promise<Meta> {
  const first = parseMeta(await readAt(file, pageHeaderBytes, metaBytes));
  // Where the second copy is depends on the page size, which only the first one tells when it is whole.
  const sizes = first === undefined ? [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536] : [first.pageSize];
  const metas = [first];
  for (const size of sizes) metas.push(parseMeta(await readAt(file, size + pageHeaderBytes, metaBytes)));
  const [newest] = metas
    .filter((meta) => meta !== undefined)
    .toSorted((a, b) => (a.transaction < b.transaction ? 1 : -1));
  check(newest !== undefined, "it has no valid header");
  return newest;
}

function parseMeta(bytes: Buffer): Meta | undefined {
  if (bytes.length < metaBytes || bytes.readUInt32LE(0) !== magic || bytes.readUInt32LE(4) !== version)
    return undefined;
  const pageSize = bytes.readUInt32LE(8);
  if (pageSize < 1024 || bytes.readBigUInt64LE(56) !== fnv1a(bytes.subarray(0, 56))) return undefined;
  return {
    pageSize,
    rootPage: bytes.readBigUInt64LE(16),
    pages: bytes.readBigUInt64LE(40),
    transaction: bytes.readBigUInt64LE(48),
  };
}

/** FNV-1a with 64 bits. */
function fnv1a(bytes: Buffer): bigint {
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100_0000_01b3n);
  return hash;
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, offset);
  return bytes.subarray(0, bytesRead);
}
