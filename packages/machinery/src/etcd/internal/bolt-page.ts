import { OsError } from "@talos-ts/base";

/** Kinds of pages of a bbolt file, by their flag. */
export const pageFlags = { branch: 0x01, leaf: 0x02 } as const;

/** Every page begins with id, flags, number of elements and number of further pages it goes on over. */
export const pageHeaderBytes = 16;
const elementBytes = 16;
const bucketFlag = 0x01;

export interface BranchElement {
  readonly page: bigint;
}

export interface LeafElement {
  readonly key: Buffer;
  readonly value: Buffer;
  /** The value describes a bucket. */
  readonly isBucket: boolean;
}

export interface PageHeader {
  readonly flags: number;
  readonly count: number;
  readonly overflow: number;
}

export function readPageHeader(page: Buffer): PageHeader {
  check(page.length >= pageHeaderBytes, "a page ends within its header");
  return { flags: page.readUInt16LE(8), count: page.readUInt16LE(10), overflow: page.readUInt32LE(12) };
}

/** Elements of a branch page: where the pages below it are, in the order of their keys. */
export function readBranch(page: Buffer): readonly BranchElement[] {
  return elementOffsets(page).map((offset) => ({ page: page.readBigUInt64LE(offset + 8) }));
}

/** Elements of a leaf page, in the order of their keys. */
export function readLeaf(page: Buffer): readonly LeafElement[] {
  return elementOffsets(page).map((offset) => {
    const keyStart = offset + page.readUInt32LE(offset + 4);
    const valueStart = keyStart + page.readUInt32LE(offset + 8);
    const end = valueStart + page.readUInt32LE(offset + 12);
    check(keyStart <= valueStart && end <= page.length, "an element reaches beyond its page");
    return {
      key: page.subarray(keyStart, valueStart),
      value: page.subarray(valueStart, end),
      isBucket: (page.readUInt32LE(offset) & bucketFlag) !== 0,
    };
  });
}

function elementOffsets(page: Buffer): readonly number[] {
  const { count } = readPageHeader(page);
  check(pageHeaderBytes + count * elementBytes <= page.length, "a page has more elements than fit into it");
  return Array.from({ length: count }, (_, index) => pageHeaderBytes + index * elementBytes);
}

/** @throws {OsError} `etcd/bad-snapshot` unless the condition holds */
export function check(condition: boolean, problem: string): asserts condition {
  if (condition) return;
  throw new OsError({ kind: "data-loss", code: "etcd/bad-snapshot", message: `not a bbolt database: ${problem}` });
}
