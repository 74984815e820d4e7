/** Positions in the sample. */
export const peSample = { signature: 0x40, optionalHeader: 0x58, sectionTable: 0xc8 } as const;

const { signature, optionalHeader, sectionTable: table } = peSample;
const headerBytes = 0x200;

/** Makes a small program for UEFI with one section, whose headers have room for seven more. */
export function samplePe(): Buffer {
  const image = Buffer.alloc(headerBytes + 0x200);
  image.write("MZ", 0, "latin1");
  image.writeUInt32LE(signature, 0x3c);
  image.write("PE\0\0", signature, "latin1");
  image.writeUInt16LE(0x8664, signature + 4);
  image.writeUInt16LE(1, signature + 6);
  image.writeUInt16LE(table - optionalHeader, signature + 20);
  image.writeUInt16LE(0x22, signature + 22);
  image.writeUInt16LE(0x20b, optionalHeader);
  image.writeUInt32LE(0x1000, optionalHeader + 16);
  image.writeUInt32LE(0x1000, optionalHeader + 32);
  image.writeUInt32LE(0x200, optionalHeader + 36);
  image.writeUInt32LE(0x2000, optionalHeader + 56);
  image.writeUInt32LE(headerBytes, optionalHeader + 60);
  image.writeUInt16LE(10, optionalHeader + 68);
  image.write(".text", table, "latin1");
  for (const [at, value] of [
    [8, 0x10],
    [12, 0x1000],
    [16, 0x200],
    [20, headerBytes],
    [36, 0x6000_0020],
  ] as const)
    image.writeUInt32LE(value, table + at);
  return image;
}
