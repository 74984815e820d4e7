/** Describes what a reader learns about an entry; `content` must be read, or skipped, before the next entry is asked for. */
export interface ReadEntry {
  readonly path: string;
  readonly type: string;
  readonly mode: number;
  readonly target: string;
  readonly size: number;
  /** Records of the pax header that belong to this entry. */
  readonly records: ReadonlyMap<string, Buffer>;
  content(): AsyncGenerator<Buffer, void, undefined>;
}

const blockBytes = 512;

/** Reads the entries of a tar archive as `writeTar` writes them. */
export async function* readLayerTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadEntry, void, undefined> {
  const source = byteReader(chunks);
  let records = new Map<string, Buffer>();
  for (;;) {
    const header = await source.take(blockBytes);
    if (header.byteLength < blockBytes || header.every((byte) => byte === 0)) return;
    const octal = (at: number, width: number): number => parseInt(text(header, at, width).trim(), 8) || 0;
    const size = octal(124, 12);
    const padded = Math.ceil(size / blockBytes) * blockBytes;
    if (text(header, 156, 1) === "x") {
      records = readRecords((await source.take(padded)).subarray(0, size));
      continue;
    }
    let left = padded;
    const own = records;
    records = new Map();
    yield {
      path: own.get("path")?.toString() ?? text(header, 0, 100),
      type: text(header, 156, 1),
      mode: octal(100, 8),
      target: own.get("linkpath")?.toString() ?? text(header, 157, 100),
      size,
      records: own,
      async *content() {
        let wanted = size;
        while (left > 0) {
          const chunk = await source.some(left);
          if (chunk.byteLength === 0) return;
          left -= chunk.byteLength;
          if (wanted > 0) yield chunk.subarray(0, wanted);
          wanted -= chunk.byteLength;
        }
      },
    };
    while (left > 0) {
      const skipped = await source.some(left);
      if (skipped.byteLength === 0) return;
      left -= skipped.byteLength;
    }
  }
}

function text(header: Buffer, at: number, width: number): string {
  const field = header.subarray(at, at + width);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? width : end).toString();
}

function readRecords(body: Buffer): Map<string, Buffer> {
  const records = new Map<string, Buffer>();
  for (let at = 0; at < body.byteLength;) {
    const space = body.indexOf(" ", at);
    const length = Number(body.subarray(at, space).toString());
    const equals = body.indexOf("=", space);
    records.set(body.subarray(space + 1, equals).toString(), body.subarray(equals + 1, at + length - 1));
    at += length;
  }
  return records;
}

interface ByteReader {
  /** Exactly that many bytes; fewer only at the end. */
  take(count: number): Promise<Buffer>;
  /** At least one byte and at most that many; none at the end. */
  some(most: number): Promise<Buffer>;
}

function byteReader(chunks: AsyncIterable<Buffer>): ByteReader {
  const iterator = chunks[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const some = async (most: number): Promise<Buffer> => {
    while (rest.byteLength === 0) {
      const next = await iterator.next();
      if (next.done === true) return rest;
      rest = next.value;
    }
    const part = rest.subarray(0, most);
    rest = rest.subarray(part.byteLength);
    return part;
  };
  return {
    some,
    async take(count) {
      const parts: Buffer[] = [];
      for (let left = count; left > 0;) {
        const part = await some(left);
        if (part.byteLength === 0) break;
        parts.push(part);
        left -= part.byteLength;
      }
      return Buffer.concat(parts);
    },
  };
}
