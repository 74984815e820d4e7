/** Bytes of a piece. */
const pieceBytes = 256 * 1024;

/**
 * Joins chunks into pieces of 256 KiB or more; the last one may be smaller. For what costs the same for each piece, whatever its size:
 * a turn of the thread pool, a system call.
 */
export async function* gatherBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting, bytes);
}
