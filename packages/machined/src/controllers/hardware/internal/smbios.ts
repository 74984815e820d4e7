/** Structure of the table that the firmware describes the machine with (DMTF DSP0134). */
export interface SmbiosStructure {
  readonly type: number;
  /** Formatted area, with its header of four bytes. Fields of later versions of the standard may lie past its end. */
  readonly formatted: Buffer;
  readonly strings: readonly string[];
}

const headBytes = 4;
const endOfTable = 127;

/** Takes a table apart; what follows a damaged structure is left out. */
export function parseSmbios(table: Buffer): readonly SmbiosStructure[] {
  const structures: SmbiosStructure[] = [];
  for (let at = 0; at + headBytes <= table.length;) {
    const [type = endOfTable, length = 0] = table.subarray(at);
    const stringsAt = at + length;
    // Strings end with an empty one, which follows at once where there are none.
    const end = table.indexOf("\0\0", stringsAt, "latin1");
    if (type === endOfTable || length < headBytes || end < 0) break;
    const strings = table.toString("utf8", stringsAt, end).split("\0");
    structures.push({ type, formatted: table.subarray(at, stringsAt), strings });
    at = end + 2;
  }
  return structures;
}

/** Number at an offset, little-endian; 0 where the structure ends before it. */
export function numberAt({ formatted }: SmbiosStructure, offset: number, bytes: 1 | 2 | 4): number {
  return offset + bytes <= formatted.length ? formatted.readUIntLE(offset, bytes) : 0;
}

/** String whose number, from 1, is at an offset; empty where there is none. */
export function stringAt(structure: SmbiosStructure, offset: number): string {
  return structure.strings[numberAt(structure, offset, 1) - 1]?.trim() ?? "";
}

/** UUID at an offset, whose first three groups are little-endian numbers. */
export function uuidAt({ formatted }: SmbiosStructure, offset: number): string {
  const bytes = formatted.subarray(offset, offset + 16);
  if (bytes.length < 16) return "";
  const reversed = [bytes.subarray(0, 4), bytes.subarray(4, 6), bytes.subarray(6, 8)].map((part) => part.toReversed());
  const groups = [...reversed, bytes.subarray(8, 10), bytes.subarray(10)];
  return groups.map((group) => Buffer.from(group).toString("hex")).join("-");
}
