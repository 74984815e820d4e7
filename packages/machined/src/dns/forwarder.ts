import { randomInt } from "node:crypto";
import { isCode, type Clock, timeLimit } from "@talos-ts/base";
import { createDnsCache } from "./cache.ts";
import { exchangeTcp, exchangeUdp, type DnsServer, type Exchange } from "./exchange.ts";
import {
  addressAnswer,
  emptyAnswer,
  readAnswer,
  readQuestion,
  responseCodes,
  types,
  type Answer,
  type Question,
} from "./message.ts";

/** Time for one server, and for all of them together; clients give up after five seconds. */
const serverTimeoutMs = 2000;
const totalTimeoutMs = 4500;
/** Names of nodes change with the cluster, so nobody should keep them for long. */
const memberTtlSeconds = 10;

export interface ForwarderOptions {
  readonly clock: Clock;
  /** Servers to ask, best first. */
  readonly servers: () => readonly DnsServer[];
  /** Addresses of a name this machine knows itself, or `undefined`. @default none */
  readonly own?: (name: string) => readonly Buffer[] | undefined;
  /** @default real datagrams */
  readonly udp?: Exchange;
  /** @default real connections */
  readonly tcp?: Exchange;
}

export interface Forwarder {
  /** Answers every query, if need be with a failure. Resolves to `undefined` for what deserves no answer. */
  answer(query: Buffer): Promise<{ readonly bytes: Buffer; readonly question: Question | undefined } | undefined>;
  /** Forgets all answers, as after a change of servers. */
  forget(): void;
}

/** Answers from what it knows, then from the cache, then from the first server that answers. */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const { clock, udp = exchangeUdp, tcp = exchangeTcp } = options;
  const cache = createDnsCache(clock);
  const pending = new Map<string, Promise<Buffer | undefined>>();

  async function within<T>(ms: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    using limit = timeLimit(ms, { clock, signal });
    return await work(limit.signal);
  }

  async function askOne(query: Buffer, question: Question, server: DnsServer, signal: AbortSignal): Promise<Buffer> {
    const bytes = await within(serverTimeoutMs, signal, (limit) => udp(query, question, server, limit));
    if (!readAnswer(bytes, question).truncated) return bytes;
    return within(serverTimeoutMs, signal, (limit) => tcp(query, question, server, limit));
  }

  /** A server that fails is no reason to fail: the next may know. */
  async function askAll(given: Buffer, question: Question, signal: AbortSignal): Promise<Buffer | undefined> {
    const query = Buffer.from(given);
    query.writeUInt16BE(randomInt(0x10000), 0);
    let refusal: Buffer | undefined;
    for (const server of options.servers()) {
      if (signal.aborted) break;
      try {
        const bytes = await askOne(query, question, server, signal);
        const answer = readAnswer(bytes, question);
        if (answer.code === responseCodes.serverFailure) {
          refusal ??= bytes;
          continue;
        }
        keep(question, bytes, answer);
        return bytes;
      } catch {
        continue;
      }
    }
    return refusal;
  }

  function keep(question: Question, bytes: Buffer, answer: Answer): void {
    cache.put(question, bytes, answer);
  }

  /** The same question from many at once is asked once. */
  function askOnce(query: Buffer, question: Question): Promise<Buffer | undefined> {
    const running = pending.get(question.key);
    if (running !== undefined) return running;
    const never = new AbortController();
    const started = within(totalTimeoutMs, never.signal, (signal) => askAll(query, question, signal)).finally(() =>
      pending.delete(question.key),
    );
    pending.set(question.key, started);
    return started;
  }

  async function resolve(query: Buffer, question: Question): Promise<Buffer> {
    const isAddress = question.type === types.a || question.type === types.aaaa;
    const own = isAddress ? options.own?.(question.name) : undefined;
    if (own !== undefined) return addressAnswer(query, question, own, memberTtlSeconds);
    const kept = cache.get(query, question);
    if (kept !== undefined) return kept;
    const asked = await askOnce(query, question);
    if (asked === undefined) return emptyAnswer(query, responseCodes.serverFailure, question);
    const bytes = Buffer.from(asked);
    query.copy(bytes, 0, 0, 2);
    query.copy(bytes, 12, 12, question.end);
    return bytes;
  }

  return {
    async answer(query) {
      let question: Question;
      try {
        question = readQuestion(query);
      } catch (err) {
        // An answer to an answer could go back and forth for ever.
        if (query.length < 12 || (query.readUInt16BE(2) & 0x8000) !== 0) return undefined;
        const code = isCode(err, "dns/unsupported") ? responseCodes.notImplemented : responseCodes.formatError;
        return { bytes: emptyAnswer(query, code), question: undefined };
      }
      return { bytes: await resolve(query, question), question };
    },
    forget: () => cache.clear(),
  };
}
