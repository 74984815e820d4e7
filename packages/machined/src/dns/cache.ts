import type { Clock } from "@talos-ts/base";
import type { Answer, Question } from "./message.ts";

/** Answers kept for their time to live, which counts down while they are kept. */
export interface DnsCache {
  /** The answer in the words of this query, or `undefined`. */
  get(query: Buffer, question: Question): Buffer | undefined;
  put(question: Question, bytes: Buffer, answer: Answer): void;
  clear(): void;
}

interface Entry {
  readonly bytes: Buffer;
  readonly ttlOffsets: readonly number[];
  readonly storedMs: number;
  readonly ttlMs: number;
}

const maxEntries = 10_000;
const maxTtlSeconds = 3600;

export function createDnsCache(clock: Pick<Clock, "monotonic">): DnsCache {
  const entries = new Map<string, Entry>();

  return {
    get(query, question) {
      const entry = entries.get(question.key);
      if (entry === undefined) return undefined;
      const ageMs = clock.monotonic() - entry.storedMs;
      entries.delete(question.key);
      if (ageMs >= entry.ttlMs) return undefined;
      // The map is in the order of use: the first is the one to drop.
      entries.set(question.key, entry);
      const answer = Buffer.from(entry.bytes);
      // Clients check that their own id and spelling come back.
      query.copy(answer, 0, 0, 2);
      query.copy(answer, 12, 12, question.end);
      const ageSeconds = Math.floor(ageMs / 1000);
      for (const at of entry.ttlOffsets)
        answer.writeUInt32BE(Math.max(0, entry.bytes.readUInt32BE(at) - ageSeconds), at);
      return answer;
    },
    put(question, bytes, { ttlSeconds, ttlOffsets }) {
      if (ttlSeconds === 0) return;
      const ttlMs = Math.min(ttlSeconds, maxTtlSeconds) * 1000;
      entries.set(question.key, { bytes, ttlOffsets, storedMs: clock.monotonic(), ttlMs });
      if (entries.size <= maxEntries) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        break;
      }
    },
    clear: () => entries.clear(),
  };
}
