import type { FileHandle } from "node:fs/promises";

const blockBytes = 64 * 1024;
const newline = 10;

/** Returns where the last lines of a file begin; zero for a negative number of them. */
export async function tailOffset(file: FileHandle, lines: number): Promise<number> {
  if (lines < 0) return 0;
  const { size } = await file.stat();
  if (lines === 0) return size;
  let left = lines;
  const block = Buffer.allocUnsafe(blockBytes);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - blockBytes);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    for (let at = bytesRead - 1; at >= 0; at -= 1) {
      // The newline at the very end closes the last line and does not begin another.
      if (block[at] !== newline || start + at === size - 1) continue;
      left -= 1;
      if (left === 0) return start + at + 1;
    }
    end = start;
  }
  return 0;
}
