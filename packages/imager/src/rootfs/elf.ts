import { describeError, OsError } from "@talos-ts/base";

/** Describes what the dynamic linker reads from a program or library before it runs. */
export interface ElfFacts {
  /** Path of the dynamic linker; absent in libraries and static programs. */
  readonly interpreter: string | undefined;
  /** Names of the libraries to load, in order. */
  readonly needed: readonly string[];
}

const segment = { load: 1, dynamic: 2, interpreter: 3 } as const;
const tag = { end: 0n, needed: 1n, stringTable: 5n } as const;

export function isElf(file: Uint8Array): boolean {
  return file.length > 64 && file[0] === 0x7f && file[1] === 0x45 && file[2] === 0x4c && file[3] === 0x46;
}

/**
 * Reads a 64-bit little-endian ELF file, the only kind of the architectures supported here.
 *
 * @throws OsError `image/bad-elf` when the file is of another kind or points outside itself.
 */
export function readElf(file: Uint8Array, name: string): ElfFacts {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  try {
    if (!isElf(file) || file[4] !== 2 || file[5] !== 1) throw new RangeError("not a 64-bit little-endian ELF file");
    return readSegments(view);
  } catch (err) {
    throw new OsError({
      kind: "invalid-argument",
      code: "image/bad-elf",
      message: `Cannot read the libraries that "${name}" needs: ${describeError(err)}`,
      cause: err,
    });
  }
}

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

function readSegments(view: DataView): ElfFacts {
  const table = Number(view.getBigUint64(32, true));
  const entrySize = view.getUint16(54, true);
  const segments = Array.from({ length: view.getUint16(56, true) }, (_, index): Segment => {
    const at = table + index * entrySize;
    return {
      type: view.getUint32(at, true),
      offset: Number(view.getBigUint64(at + 8, true)),
      address: Number(view.getBigUint64(at + 16, true)),
      size: Number(view.getBigUint64(at + 32, true)),
    };
  });
  const interpreter = segments.find((entry) => entry.type === segment.interpreter);
  const dynamic = segments.find((entry) => entry.type === segment.dynamic);
  return {
    interpreter: interpreter === undefined ? undefined : stringAt(view, interpreter.offset),
    needed: dynamic === undefined ? [] : readNeeded(view, dynamic, segments),
  };
}

function readNeeded(view: DataView, dynamic: Segment, segments: readonly Segment[]): string[] {
  const offsets: number[] = [];
  let strings = 0;
  for (let at = dynamic.offset; at + 16 <= dynamic.offset + dynamic.size; at += 16) {
    const kind = view.getBigInt64(at, true);
    const value = Number(view.getBigUint64(at + 8, true));
    if (kind === tag.end) break;
    if (kind === tag.needed) offsets.push(value);
    if (kind === tag.stringTable) strings = value;
  }
  // The string table is given as an address in memory; the segment that is loaded there says where it is in the file.
  const home = segments.find(
    (entry) => entry.type === segment.load && strings >= entry.address && strings < entry.address + entry.size,
  );
  const base = home === undefined ? strings : strings - home.address + home.offset;
  return offsets.map((offset) => stringAt(view, base + offset));
}

function stringAt(view: DataView, start: number): string {
  let end = start;
  while (view.getUint8(end) !== 0) end += 1;
  return Buffer.from(view.buffer, view.byteOffset + start, end - start).toString("latin1");
}
