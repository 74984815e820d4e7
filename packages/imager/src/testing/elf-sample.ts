/** Makes the smallest ELF file that names a dynamic linker and libraries; for tests. */
export function sampleElf(interpreter: string | undefined, needed: readonly string[]): Buffer {
  const headerSize = 64;
  const entrySize = 56;
  const segments = 3;
  const strings = Buffer.from(`\0${needed.map((name) => `${name}\0`).join("")}`, "latin1");
  const stringsAt = headerSize + segments * entrySize;
  const interpreterAt = stringsAt + strings.length;
  const interpreterText = Buffer.from(`${interpreter ?? ""}\0`, "latin1");
  const dynamicAt = interpreterAt + interpreterText.length;
  const file = Buffer.alloc(dynamicAt + (needed.length + 2) * 16);
  const base = 0x1000;
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file);
  file.writeBigUInt64LE(BigInt(headerSize), 32);
  file.writeUInt16LE(entrySize, 54);
  file.writeUInt16LE(segments, 56);
  const segment = (index: number, type: number, at: number, size: number): void => {
    const start = headerSize + index * entrySize;
    file.writeUInt32LE(type, start);
    file.writeBigUInt64LE(BigInt(at), start + 8);
    file.writeBigUInt64LE(BigInt(base + at), start + 16);
    file.writeBigUInt64LE(BigInt(size), start + 32);
  };
  segment(0, 1, 0, file.length);
  segment(1, 2, dynamicAt, file.length - dynamicAt);
  segment(2, interpreter === undefined ? 0 : 3, interpreterAt, interpreterText.length);
  strings.copy(file, stringsAt);
  interpreterText.copy(file, interpreterAt);
  let offset = 1;
  for (const [index, name] of needed.entries()) {
    file.writeBigUInt64LE(1n, dynamicAt + index * 16);
    file.writeBigUInt64LE(BigInt(offset), dynamicAt + index * 16 + 8);
    offset += name.length + 1;
  }
  file.writeBigUInt64LE(5n, dynamicAt + needed.length * 16);
  file.writeBigUInt64LE(BigInt(base + stringsAt), dynamicAt + needed.length * 16 + 8);
  return file;
}
