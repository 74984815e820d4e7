import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { createQueue, OsError } from "@talos-ts/base";

/** Lines of the current chunk stay as they are; older chunks are compressed. */
const chunkBytes = 64 * 1024;
/** Log text kept per service, before compression. */
const keptBytes = 1024 * 1024;
/** Chunks that may wait for a slow follower. */
const followerCapacity = 1024;

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Go on with new lines. @default {false} */
  readonly follow?: boolean;
  /** Only the last lines; negative means everything. @default {-1} */
  readonly tailLines?: number;
}

/**
 * The log of one service in memory: the last megabyte, whole lines.
 *
 * Nothing is ever written to disk here; persistence is a separate choice.
 */
export interface LogRing {
  /** Adds text; a line may come in pieces. */
  write(text: Buffer | string): void;
  read(options: ReadOptions): AsyncIterable<Buffer>;
  /** The last complete lines, newest last. */
  lastLines(count: number): string[];
  readonly bytes: number;
}

/** @param onWrite Called with every piece of text after it was added. */
export function createLogRing(onWrite?: (chunk: Buffer) => void): LogRing {
  const old: { readonly packed: Buffer; readonly bytes: number }[] = [];
  let current: Buffer[] = [];
  let currentBytes = 0;
  let oldBytes = 0;
  const followers = new Set<(chunk: Buffer) => void>();

  function pack(): void {
    const whole = Buffer.concat(current);
    const end = whole.lastIndexOf(10) + 1;
    // A line longer than a chunk is cut: one runaway line must not hold the ring open.
    const cut = end === 0 ? whole.length : end;
    old.push({ packed: zstdCompressSync(whole.subarray(0, cut)), bytes: cut });
    oldBytes += cut;
    current = cut === whole.length ? [] : [whole.subarray(cut)];
    currentBytes = whole.length - cut;
    while (oldBytes > keptBytes) oldBytes -= old.shift()?.bytes ?? oldBytes;
  }

  function contents(): Buffer {
    return Buffer.concat([...old.map((chunk) => zstdDecompressSync(chunk.packed)), ...current]);
  }

  function tail(lines: number): Buffer {
    if (lines === 0) return Buffer.alloc(0);
    const all = contents();
    if (lines < 0) return all;
    let from = all.at(-1) === 10 ? all.length - 1 : all.length;
    for (let left = lines; left > 0 && from > 0; left -= 1) {
      from = all.lastIndexOf(10, from - 1);
      if (from === -1) return all;
    }
    return all.subarray(from + 1);
  }

  async function* read(options: ReadOptions): AsyncGenerator<Buffer> {
    if (options.follow !== true) {
      const text = tail(options.tailLines ?? -1);
      if (text.length > 0) yield text;
      return;
    }
    const channel = createQueue<Buffer>(followerCapacity);
    const follower = (chunk: Buffer): void => {
      if (channel.push(chunk) || channel.closed) return;
      channel.fail(
        new OsError({
          kind: "resource-exhausted",
          code: "logs/overrun",
          message: "Cannot follow the log: the reader fell behind",
        }),
      );
    };
    // Registered before the present is read, and both happen without a pause: no line is lost or sent twice.
    followers.add(follower);
    const text = tail(options.tailLines ?? -1);
    const stop = (): void => channel.close();
    options.signal.addEventListener("abort", stop, { once: true });
    if (options.signal.aborted) stop();
    try {
      if (text.length > 0) yield text;
      yield* channel;
    } finally {
      followers.delete(follower);
      options.signal.removeEventListener("abort", stop);
    }
  }

  return {
    write(text) {
      const chunk = typeof text === "string" ? Buffer.from(text) : text;
      current.push(chunk);
      currentBytes += chunk.length;
      if (currentBytes >= chunkBytes) pack();
      for (const follower of followers) follower(chunk);
      onWrite?.(chunk);
    },
    read,
    lastLines: (count) =>
      tail(count)
        .toString()
        .split("\n")
        .filter((line) => line !== ""),
    get bytes() {
      return oldBytes + currentBytes;
    },
  };
}
