import type { Stats } from "node:fs";

const tarBlock = 512;

/** Two empty blocks end an archive. */
export const tarEnd = Buffer.alloc(2 * tarBlock);

export type TarKind = "file" | "link" | "folder" | "character-device" | "block-device" | "pipe";

const flags: Readonly<Record<TarKind, string>> = {
  file: "0",
  link: "2",
  "character-device": "3",
  "block-device": "4",
  folder: "5",
  pipe: "6",
};

/** Returns what a file is to tar; `undefined` for sockets, which it cannot hold. */
export function tarKind(stats: Stats): TarKind | undefined {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return "link";
  if (stats.isCharacterDevice()) return "character-device";
  if (stats.isBlockDevice()) return "block-device";
  return stats.isFIFO() ? "pipe" : undefined;
}

export interface TarEntry {
  /** Relative, with a slash at the end for folders. */
  readonly name: string;
  readonly kind: TarKind;
  readonly stats: Pick<Stats, "mode" | "uid" | "gid" | "mtimeMs" | "rdev">;
  readonly size: number;
  readonly link: string;
}

/** Zeroes up to the next block. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((tarBlock - (size % tarBlock)) % tarBlock);
}

/** The header of an entry; what does not fit the old fields goes into a PAX record before it. */
export function tarHeader(entry: TarEntry): Buffer {
  const extras = paxRecords(entry);
  const own = block(entry, flags[entry.kind]);
  if (extras.length === 0) return own;
  const name = `PaxHeaders.0/${entry.name}`;
  const pax = block({ ...entry, name, size: extras.length, link: "" }, "x");
  return Buffer.concat([pax, extras, tarPadding(extras.length), own]);
}

const maxOctal = (digits: number): number => 8 ** digits - 1;
const fits = (text: string, bytes: number): boolean => Buffer.byteLength(text) <= bytes && /^[\x20-\x7e]*$/.test(text);

function paxRecords({ name, link, size, stats }: TarEntry): Buffer {
  const records: string[] = [];
  if (!fits(name, 100)) records.push(paxRecord("path", name));
  if (!fits(link, 100)) records.push(paxRecord("linkpath", link));
  if (size > maxOctal(11)) records.push(paxRecord("size", String(size)));
  if (stats.uid > maxOctal(7)) records.push(paxRecord("uid", String(stats.uid)));
  if (stats.gid > maxOctal(7)) records.push(paxRecord("gid", String(stats.gid)));
  return Buffer.from(records.join(""));
}

/** `<length> <key>=<value>\n`, where the length counts itself. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  if (bytes + String(length).length !== length) length += 1;
  return `${String(length)}${rest}`;
}

function block({ name, size, link, stats }: Omit<TarEntry, "kind">, flag: string): Buffer {
  const header = Buffer.alloc(tarBlock);
  const text = (value: string, offset: number, bytes: number): void => void header.write(value, offset, bytes);
  const octal = (value: number, offset: number, digits: number): void =>
    text(Math.min(value, maxOctal(digits)).toString(8).padStart(digits, "0"), offset, digits);
  text(name, 0, 100);
  octal(stats.mode & 0o7777, 100, 7);
  octal(stats.uid, 108, 7);
  octal(stats.gid, 116, 7);
  octal(size, 124, 11);
  octal(Math.max(0, Math.floor(stats.mtimeMs / 1000)), 136, 11);
  text(flag, 156, 1);
  text(link, 157, 100);
  text("ustar\x0000", 257, 8);
  if (flag === "3" || flag === "4") {
    octal(major(stats.rdev), 329, 7);
    octal(minor(stats.rdev), 337, 7);
  }
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  text(`${sum.toString(8).padStart(6, "0")}\0 `, 148, 8);
  return header;
}

const major = (device: number): number => (device >>> 8) & 0xfff;
const minor = (device: number): number => (device & 0xff) | ((device >>> 12) & 0xfff00);
