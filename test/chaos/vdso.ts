import { open } from "node:fs/promises";

/** A function of the vDSO, the library through which processes read the clock without entering the kernel (vdso(7)). */
export interface VdsoFunction {
  /** Place of its first instruction, from the start of the image. */
  readonly offset: number;
  /** In bytes. */
  readonly size: number;
}

/** The vDSO image of a kernel. All processes of one word size have the same one, each at an address of its own. */
export interface VdsoImage {
  readonly bytes: Buffer;
  /** By the name of their symbol, as `__vdso_clock_gettime`. */
  readonly functions: ReadonlyMap<string, VdsoFunction>;
  /** Place of the first byte that belongs to nothing, up to the end of the last page. */
  readonly end: number;
}

/** AT_SYSINFO_EHDR of getauxval(3). */
const sysinfoHeader = 33n;
const auxiliaryEntry = 16;

/** SHT_NOBITS and SHT_DYNSYM of elf(5). */
const sectionTypes = { noBits: 8, dynamicSymbols: 11 };
const symbolSize = 24;
/** STT_FUNC of elf(5). */
const functionType = 2;

/** Address of the vDSO of a process; `undefined` when it has none, or is gone. */
export async function findVdso(pid: number | "self"): Promise<number | undefined> {
  const entries = await readAll(`/proc/${String(pid)}/auxv`).catch(() => Buffer.alloc(0));
  for (let at = 0; at + auxiliaryEntry <= entries.length; at += auxiliaryEntry) {
    if (entries.readBigUInt64LE(at) === sysinfoHeader) return Number(entries.readBigUInt64LE(at + 8));
  }
  return undefined;
}

/** The vDSO of this process, which is that of all others. @throws when there is none */
export async function readOwnVdso(): Promise<VdsoImage> {
  const address = await findVdso("self");
  const maps = (await readAll("/proc/self/maps")).toString("latin1");
  const [, from = "", to = ""] = /^([0-9a-f]+)-([0-9a-f]+) .*\[vdso\]$/m.exec(maps) ?? [];
  if (address === undefined || parseInt(from, 16) !== address) throw new Error("this process has no vDSO");
  return parseVdso(await readMemory("self", address, parseInt(to, 16) - address));
}

/** Reads memory of a process. @throws ENOENT or ESRCH when it is gone */
export async function readMemory(pid: number | "self", address: number, length: number): Promise<Buffer> {
  await using memory = await open(`/proc/${String(pid)}/mem`, "r");
  const { buffer, bytesRead } = await memory.read(Buffer.alloc(length), 0, length, address);
  return buffer.subarray(0, bytesRead);
}

/** Finds the functions of an image. @throws when it is not ELF of 64 bits with symbols */
export function parseVdso(bytes: Buffer): VdsoImage {
  if (bytes.toString("latin1", 0, 6) !== "\x7fELF\x02\x01") throw new Error("the vDSO is not ELF of 64 bits");
  const table = Number(bytes.readBigUInt64LE(0x28));
  const size = bytes.readUInt16LE(0x3a);
  const count = bytes.readUInt16LE(0x3c);
  const sections = Array.from({ length: count }, (_, index) => readSection(bytes, table + index * size));
  const symbols = sections.find(({ type }) => type === sectionTypes.dynamicSymbols);
  const strings = symbols === undefined ? undefined : sections[symbols.link];
  if (symbols === undefined || strings === undefined) throw new Error("the vDSO has no symbols");
  const functions = new Map<string, VdsoFunction>();
  for (let at = symbols.offset; at + symbolSize <= symbols.offset + symbols.size; at += symbolSize) {
    if ((bytes.readUInt8(at + 4) & 0xf) !== functionType) continue;
    const name = strings.offset + bytes.readUInt32LE(at);
    functions.set(bytes.toString("latin1", name, bytes.indexOf(0, name)), {
      offset: Number(bytes.readBigUInt64LE(at + 8)),
      size: Number(bytes.readBigUInt64LE(at + 16)),
    });
  }
  const ends = sections.filter(({ type }) => type !== sectionTypes.noBits).map((each) => each.offset + each.size);
  return { bytes, functions, end: Math.max(table + count * size, ...ends) };
}

interface Section {
  readonly type: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
}

function readSection(bytes: Buffer, at: number): Section {
  return {
    type: bytes.readUInt32LE(at + 4),
    offset: Number(bytes.readBigUInt64LE(at + 24)),
    size: Number(bytes.readBigUInt64LE(at + 32)),
    link: bytes.readUInt32LE(at + 40),
  };
}

/** Files of procfs have no size: `readFile` of some of them gives nothing. */
async function readAll(path: string): Promise<Buffer> {
  await using file = await open(path, "r");
  const parts: Buffer[] = [];
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536));
    if (bytesRead === 0) return Buffer.concat(parts);
    parts.push(buffer.subarray(0, bytesRead));
  }
}
