import { createBackoff, createQueue, isKind, OsError, systemClock, type Clock } from "@talos-ts/base";
import type { Descriptor } from "@talos-ts/oci";
import {
  WriteAction,
  type WriteContentRequestSchema,
  type WriteContentResponse,
} from "@talos-ts/proto/containerd/services/content";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ContainerdServices } from "./client.ts";

export interface WriteContentOptions {
  readonly descriptor: Pick<Descriptor, "digest" | "size">;
  readonly labels?: Readonly<Record<string, string>>;
  /** Reads the blob from a byte on. */
  readonly open: (offset: number) => AsyncIterable<Uint8Array>;
  /** Told how many bytes are in the store. */
  readonly progress?: (offset: number) => void;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

type Request = MessageInitShape<typeof WriteContentRequestSchema>;

/** Every message waits for its answer, so they had better be large; containerd takes 16 MiB at most. */
const chunkBytes = 1024 * 1024;

/**
 * Puts a blob into the content store, continuing what an earlier attempt left there. containerd checks size and digest before the
 * blob becomes visible.
 *
 * @returns whether anything had to be written
 */
export async function writeContent(
  services: Pick<ContainerdServices, "content">,
  options: WriteContentOptions,
): Promise<"written" | "exists"> {
  const { clock = systemClock, signal } = options;
  const backoff = createBackoff({ initialMs: 50, maxMs: 1000 });
  for (;;) {
    try {
      await writeOnce(services, options);
      return "written";
    } catch (err) {
      if (isKind(err, "already-exists")) return "exists";
      // Another pull writes the same blob: it is there when that one is done.
      if (!isKind(err, "unavailable") || !/locked/.test(err.message)) throw err;
      await clock.sleep(backoff.next(), signal);
    }
  }
}

async function writeOnce(
  { content }: Pick<ContainerdServices, "content">,
  options: WriteContentOptions,
): Promise<void> {
  const { descriptor, open, progress, signal } = options;
  const total = BigInt(descriptor.size);
  const stop = new AbortController();
  const signals = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  using requests = createQueue<Request>();
  const responses = content.write(requests, { signal: signals });
  /** One request, one answer: never more than one chunk is under way. */
  const exchange = async (request: Request): Promise<WriteContentResponse> => {
    requests.push(request);
    const { value, done } = await responses.next();
    if (done !== true) return value;
    throw new OsError({ kind: "unavailable", message: `containerd ended writing blob ${descriptor.digest} early` });
  };
  try {
    const ref = `blob-${descriptor.digest}`;
    const start = await exchange({ action: WriteAction.STAT, ref, total, expected: descriptor.digest });
    let offset = Number(start.offset);
    if (offset < descriptor.size) {
      for await (const data of inChunks(open(offset), chunkBytes)) {
        await exchange({ action: WriteAction.WRITE, offset: BigInt(offset), data });
        offset += data.byteLength;
        progress?.(offset);
      }
    }
    const end = { offset: BigInt(offset), total, expected: descriptor.digest, labels: { ...options.labels } };
    await exchange({ action: WriteAction.COMMIT, ...end });
  } catch (err) {
    // What was written is wrong from its first byte on: continuing it would fail for ever.
    if (isKind(err, "failed-precondition") || isKind(err, "data-loss")) {
      await content.abort({ ref: `blob-${descriptor.digest}` }).catch(() => undefined);
    }
    throw err;
  } finally {
    stop.abort();
  }
}

/** Joins and cuts pieces of any size so that all but the last have the same. */
async function* inChunks(pieces: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.byteLength;
    if (length < size) continue;
    const joined = Buffer.concat(waiting);
    const whole = length - (length % size);
    for (let from = 0; from < whole; from += size) yield joined.subarray(from, from + size);
    waiting = whole === length ? [] : [joined.subarray(whole)];
    length -= whole;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
