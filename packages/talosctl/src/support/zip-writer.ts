import { open, type FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";

const deflate = promisify(deflateRaw);

/** A zip archive on disk (APPNOTE.TXT 6.3.3, without ZIP64). Files may be added at once; each is compressed and written in turn. */
export interface ZipWriter extends AsyncDisposable {
  add(name: string, content: Uint8Array): Promise<void>;
  /** Writes the directory of the archive; nothing can be added afterwards. */
  end(): Promise<void>;
}

interface Written {
  readonly name: Buffer;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
  readonly offset: number;
}

const version = 20;
/** Names are UTF-8. */
const flags = 0x0800;
const methodDeflate = 8;
const regularFile = 0o100644;

export async function createZip(path: string, now: Date): Promise<ZipWriter> {
  const file: FileHandle = await open(path, "w", 0o600);
  const [time, date] = dosTime(now);
  const written: Written[] = [];
  let offset = 0;
  let last = Promise.resolve();

  const write = async (bytes: Buffer): Promise<void> => {
    await file.writeFile(bytes);
    offset += bytes.length;
  };

  async function put(entry: Omit<Written, "offset">, body: Buffer): Promise<void> {
    written.push({ ...entry, offset });
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    common(header, 4, entry);
    await write(Buffer.concat([header, entry.name, body]));
  }

  /** Fields that the header of a file and the directory share. */
  function common(header: Buffer, at: number, { name, crc, compressed, size }: Omit<Written, "offset">): void {
    header.writeUInt16LE(version, at);
    header.writeUInt16LE(flags, at + 2);
    header.writeUInt16LE(methodDeflate, at + 4);
    header.writeUInt16LE(time, at + 6);
    header.writeUInt16LE(date, at + 8);
    header.writeUInt32LE(crc, at + 10);
    header.writeUInt32LE(compressed, at + 14);
    header.writeUInt32LE(size, at + 18);
    header.writeUInt16LE(name.length, at + 22);
  }

  return {
    async add(name, content) {
      const body = await deflate(content);
      const entry = { name: Buffer.from(name), crc: crc32(content), compressed: body.length, size: content.length };
      last = last.then(() => put(entry, body));
      await last;
    },
    async end() {
      await last;
      const start = offset;
      for (const entry of written) {
        const header = Buffer.alloc(46);
        header.writeUInt32LE(0x02014b50, 0);
        // Made on Unix, so that the mode counts.
        header.writeUInt16LE((3 << 8) | version, 4);
        common(header, 6, entry);
        header.writeUInt32LE(regularFile * 0x10000, 38);
        header.writeUInt32LE(entry.offset, 42);
        await write(Buffer.concat([header, entry.name]));
      }
      const tail = Buffer.alloc(22);
      tail.writeUInt32LE(0x06054b50, 0);
      tail.writeUInt16LE(written.length, 8);
      tail.writeUInt16LE(written.length, 10);
      tail.writeUInt32LE(offset - start, 12);
      tail.writeUInt32LE(start, 16);
      await write(tail);
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** Date and time as MS-DOS packs them, with two seconds of precision. */
function dosTime(now: Date): readonly [time: number, date: number] {
  const time = (now.getHours() << 11) | (now.getMinutes() << 5) | (now.getSeconds() >> 1);
  const date = ((now.getFullYear() - 1980) << 9) | ((now.getMonth() + 1) << 5) | now.getDate();
  return [time, date];
}
