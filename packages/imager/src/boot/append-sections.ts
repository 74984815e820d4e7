import { OsError } from "@talos-ts/base";
import { contentSize, readContent, type Content } from "./content.ts";

/** Section that is added to a program for UEFI. */
export interface Section {
  /** At most eight characters, with its dot. */
  readonly name: string;
  readonly content: Content;
  /** True for machine code, which some firmware wants to know before it runs it. @default false */
  readonly executable?: boolean;
}

/** Positions of fields, from the beginning of the optional header of a 64-bit image ("PE32+"). */
const fields = { magic: 0, sectionAlignment: 32, fileAlignment: 36, sizeOfImage: 56, sizeOfHeaders: 60, checkSum: 64 };
const pe32Plus = 0x20b;
const fileHeaderBytes = 24;
const sectionHeaderBytes = 40;
const flags = { data: 0x4000_0040, code: 0x6000_0020 } as const;

interface Layout {
  readonly optionalHeader: number;
  readonly sectionTable: number;
  readonly sectionCount: number;
  readonly sectionAlignment: number;
  readonly fileAlignment: number;
  readonly sizeOfHeaders: number;
}

/**
 * Gives a program for UEFI with more sections behind its own, as the stub of a unified kernel image wants them: a PE image whose headers
 * have room for them.
 *
 * @param image The program.
 * @throws OsError `image/not-pe`, `image/pe-headers-full`; `image/changed` when a file does not have the size that was promised.
 */
export async function* appendSections(
  image: Buffer,
  sections: readonly Section[],
): AsyncGenerator<Buffer, void, undefined> {
  const layout = readLayout(image);
  const { sectionTable, sectionCount, sectionAlignment, fileAlignment, sizeOfHeaders } = layout;
  const tableEnd = sectionTable + (sectionCount + sections.length) * sectionHeaderBytes;
  if (tableEnd > sizeOfHeaders) throw headersFull(sectionCount, sections.length);
  const head = Buffer.from(image);
  let address = align(memoryEnd(image, layout), sectionAlignment);
  let offset = align(image.length, fileAlignment);
  for (const [index, { name, content, executable = false }] of sections.entries()) {
    const size = contentSize(content);
    const at = sectionTable + (sectionCount + index) * sectionHeaderBytes;
    head.fill(0, at, at + sectionHeaderBytes);
    head.write(name, at, 8, "latin1");
    head.writeUInt32LE(size, at + 8);
    head.writeUInt32LE(address, at + 12);
    head.writeUInt32LE(align(size, fileAlignment), at + 16);
    head.writeUInt32LE(offset, at + 20);
    head.writeUInt32LE(executable ? flags.code : flags.data, at + 36);
    address = align(address + size, sectionAlignment);
    offset += align(size, fileAlignment);
  }
  const { optionalHeader } = layout;
  head.writeUInt16LE(sectionCount + sections.length, optionalHeader - fileHeaderBytes + 6);
  head.writeUInt32LE(address, optionalHeader + fields.sizeOfImage);
  // Nobody checks the sum of a program for UEFI; one that is not right would be worse than none.
  head.writeUInt32LE(0, optionalHeader + fields.checkSum);
  yield head;
  yield padding(image.length, fileAlignment);
  for (const { name, content } of sections) {
    yield* readContent(content, name);
    yield padding(contentSize(content), fileAlignment);
  }
}

function readLayout(image: Buffer): Layout {
  const signature = image.length > 64 ? image.readUInt32LE(60) : image.length;
  const optionalHeader = signature + fileHeaderBytes;
  const isPe = image.length > optionalHeader + 112 && image.toString("latin1", signature, signature + 4) === "PE\0\0";
  if (!isPe || image.readUInt16LE(optionalHeader + fields.magic) !== pe32Plus) throw notPe();
  return {
    optionalHeader,
    sectionTable: optionalHeader + image.readUInt16LE(signature + 20),
    sectionCount: image.readUInt16LE(signature + 6),
    sectionAlignment: image.readUInt32LE(optionalHeader + fields.sectionAlignment),
    fileAlignment: image.readUInt32LE(optionalHeader + fields.fileAlignment),
    sizeOfHeaders: image.readUInt32LE(optionalHeader + fields.sizeOfHeaders),
  };
}

/** The end of the last section in memory. */
function memoryEnd(image: Buffer, { sectionTable, sectionCount }: Layout): number {
  const ends = Array.from({ length: sectionCount }, (_, index) => {
    const at = sectionTable + index * sectionHeaderBytes;
    return image.readUInt32LE(at + 12) + image.readUInt32LE(at + 8);
  });
  return Math.max(...ends);
}

function align(value: number, alignment: number): number {
  return Math.ceil(value / alignment) * alignment;
}

function padding(size: number, alignment: number): Buffer {
  return Buffer.alloc(align(size, alignment) - size);
}

function notPe(): OsError {
  return new OsError({
    kind: "data-loss",
    code: "image/not-pe",
    message: "Cannot add sections to the stub of the boot loader: expected a 64-bit PE image",
  });
}

function headersFull(present: number, added: number): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "image/pe-headers-full",
    message: `Cannot add ${String(added)} sections to the stub of the boot loader: its headers have no room besides those of ${String(present)} sections`,
  });
}
