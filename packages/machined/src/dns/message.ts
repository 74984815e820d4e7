import { OsError } from "@talos-ts/base";

// The little of RFC 1035 a forwarder needs: the question, where times to live stand, and answers of its own.

export const types = { a: 1, soa: 6, aaaa: 28, opt: 41 } as const;

export const responseCodes = { ok: 0, formatError: 1, serverFailure: 2, nameError: 3, notImplemented: 4 } as const;

const headerBytes = 12;
const maxPointers = 64;

const flags = { response: 0x8000, truncated: 0x0200, recursionDesired: 0x0100, recursionAvailable: 0x0080 } as const;

export interface Question {
  readonly id: number;
  /** Lower case, without the final dot. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** Offset at which the question ends. */
  readonly end: number;
  /** The largest answer the client takes by datagram. */
  readonly maxDatagramBytes: number;
  /** Equal for questions that have equal answers. */
  readonly key: string;
}

interface RecordHead {
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  readonly ttlAt: number;
  readonly dataAt: number;
  readonly end: number;
}

/** Reads the only question of a query. @throws {OsError} `dns/malformed`, or `dns/unsupported` for what is no plain query */
export function readQuestion(bytes: Buffer): Question {
  if (bytes.length < headerBytes) throw malformed("its header is cut off");
  const bits = bytes.readUInt16BE(2);
  if ((bits & flags.response) !== 0) throw malformed("it is an answer");
  if (((bits >> 11) & 0xf) !== 0) throw unsupported("it is no plain query");
  if (bytes.readUInt16BE(4) !== 1) throw malformed("it does not ask exactly one question");
  const { name, end: nameEnd } = readName(bytes, headerBytes);
  if (nameEnd + 4 > bytes.length) throw malformed("its question is cut off");
  const type = bytes.readUInt16BE(nameEnd);
  const klass = bytes.readUInt16BE(nameEnd + 2);
  const end = nameEnd + 4;
  const option = readRecords(bytes, end, recordCount(bytes)).find((record) => record.type === types.opt);
  const checking = bits & 0x0110;
  const secure = option === undefined ? "" : `e${String((option.ttl >>> 15) & 1)}`;
  return {
    id: bytes.readUInt16BE(0),
    name: name.toLowerCase(),
    type,
    class: klass,
    end,
    maxDatagramBytes: Math.max(512, option?.class ?? 512),
    key: `${name.toLowerCase()} ${String(type)} ${String(klass)} ${String(checking)}${secure}`,
  };
}

export interface Answer {
  readonly code: number;
  readonly truncated: boolean;
  /** Longest time that it may be kept; 0 if not at all. */
  readonly ttlSeconds: number;
  /** Offsets of the times to live. */
  readonly ttlOffsets: readonly number[];
}

/** Reads what a cache must know of an answer to `question`. @throws {OsError} `dns/malformed` */
export function readAnswer(bytes: Buffer, question: Question): Answer {
  if (bytes.length < question.end) throw malformed("its question is cut off");
  const bits = bytes.readUInt16BE(2);
  const code = bits & 0xf;
  const truncated = (bits & flags.truncated) !== 0;
  const records = truncated ? [] : readRecords(bytes, question.end, recordCount(bytes));
  const timed = records.filter((record) => record.type !== types.opt);
  const soa = timed.find((record) => record.type === types.soa);
  // How long "there is no such thing" holds stands in the last field of the zone's own record.
  const negative =
    soa !== undefined && soa.end - soa.dataAt >= 4 ? Math.min(soa.ttl, bytes.readUInt32BE(soa.end - 4)) : 0;
  const isNegative = code === responseCodes.nameError || bytes.readUInt16BE(6) === 0;
  const lowest = timed.length === 0 ? 0 : Math.min(...timed.map(({ ttl }) => ttl));
  const keeps = code === responseCodes.ok || code === responseCodes.nameError;
  return {
    code,
    truncated,
    ttlSeconds: truncated || !keeps ? 0 : isNegative ? negative : lowest,
    ttlOffsets: timed.map(({ ttlAt }) => ttlAt),
  };
}

/** Reports whether these bytes answer that question: same id, same name, type and class. */
export function answers(bytes: Buffer, query: Buffer, question: Question): boolean {
  if (bytes.length < question.end || (bytes.readUInt16BE(2) & flags.response) === 0) return false;
  if (bytes.readUInt16BE(0) !== query.readUInt16BE(0) || bytes.readUInt16BE(4) !== 1) return false;
  const asked = bytes.subarray(headerBytes, question.end).toString("latin1").toLowerCase();
  return asked === query.subarray(headerBytes, question.end).toString("latin1").toLowerCase();
}

/** The answer with nothing in it but the question and a code. */
export function emptyAnswer(query: Buffer, code: number, question?: Question): Buffer {
  const end = question?.end ?? headerBytes;
  const answer = Buffer.alloc(end);
  query.copy(answer, 0, 0, Math.min(end, query.length));
  const kept = query.length >= 4 ? query.readUInt16BE(2) & 0x7910 : 0;
  answer.writeUInt16BE(flags.response | flags.recursionAvailable | kept | code, 2);
  answer.writeUInt16BE(question === undefined ? 0 : 1, 4);
  answer.fill(0, 6, headerBytes);
  return answer;
}

/** Addresses for the name of the question, as far as it asks for their family. */
export function addressAnswer(
  query: Buffer,
  question: Question,
  addresses: readonly Buffer[],
  ttlSeconds: number,
): Buffer {
  const size = { [types.a]: 4, [types.aaaa]: 16 }[question.type];
  const fitting = addresses.filter(({ length }) => length === size);
  const records = fitting.map((address) => {
    const head = Buffer.alloc(12);
    head.writeUInt16BE(0xc000 | headerBytes, 0);
    head.writeUInt16BE(question.type, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt32BE(ttlSeconds, 6);
    head.writeUInt16BE(address.length, 10);
    return Buffer.concat([head, address]);
  });
  const answer = Buffer.concat([emptyAnswer(query, responseCodes.ok, question), ...records]);
  answer.writeUInt16BE(records.length, 6);
  return answer;
}

/** Fits an answer into a datagram: what is too large is replaced by the advice to ask again by TCP. */
export function fitDatagram(answer: Buffer, question: Question): Buffer {
  if (answer.length <= question.maxDatagramBytes) return answer;
  const short = Buffer.from(answer.subarray(0, question.end));
  short.writeUInt16BE(short.readUInt16BE(2) | flags.truncated, 2);
  short.fill(0, 6, headerBytes);
  return short;
}

/** A plain query, such as the one that tells whether a server is well. */
export function query(name: string, type: number, id: number): Buffer {
  const labels = name.split(".").filter((label) => label !== "");
  const encoded = labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  const head = Buffer.alloc(headerBytes);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(flags.recursionDesired, 2);
  head.writeUInt16BE(1, 4);
  return Buffer.concat([head, ...encoded, Buffer.from([0, type >> 8, type & 0xff, 0, 1])]);
}

function recordCount(bytes: Buffer): number {
  return bytes.readUInt16BE(6) + bytes.readUInt16BE(8) + bytes.readUInt16BE(10);
}

function readRecords(bytes: Buffer, start: number, count: number): readonly RecordHead[] {
  const records: RecordHead[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    const { end: head } = readName(bytes, at);
    if (head + 10 > bytes.length) throw malformed("a record is cut off");
    const dataAt = head + 10;
    const end = dataAt + bytes.readUInt16BE(head + 8);
    if (end > bytes.length) throw malformed("a record is cut off");
    records.push({
      type: bytes.readUInt16BE(head),
      class: bytes.readUInt16BE(head + 2),
      ttl: bytes.readUInt32BE(head + 4),
      ttlAt: head + 4,
      dataAt,
      end,
    });
    at = end;
  }
  return records;
}

function readName(bytes: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  let end: number | undefined;
  for (let pointers = 0; ;) {
    const length = bytes[at];
    if (length === undefined) throw malformed("a name is cut off");
    if (length === 0) return { name: labels.join("."), end: end ?? at + 1 };
    if ((length & 0xc0) === 0xc0) {
      if (at + 1 >= bytes.length || ++pointers > maxPointers) throw malformed("a name does not end");
      end ??= at + 2;
      at = bytes.readUInt16BE(at) & 0x3fff;
      continue;
    }
    if ((length & 0xc0) !== 0 || at + 1 + length > bytes.length) throw malformed("a name is cut off");
    labels.push(bytes.toString("latin1", at + 1, at + 1 + length));
    if (labels.length > 128) throw malformed("a name is too long");
    at += 1 + length;
  }
}

function malformed(why: string): OsError {
  return new OsError({ kind: "invalid-argument", code: "dns/malformed", message: `Cannot read a DNS message: ${why}` });
}

function unsupported(why: string): OsError {
  return new OsError({
    kind: "unimplemented",
    code: "dns/unsupported",
    message: `Cannot answer a DNS message: ${why}`,
  });
}
