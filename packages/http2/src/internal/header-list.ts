import { errorCodes } from "../constants.ts";
import { fieldKinds, type Field } from "../field.ts";

/** Facts about a header list that the connection needs. */
export interface HeaderListFacts {
  /** True when the list breaks RFC 9113 section 8. */
  readonly malformed: boolean;
  /** Value of `content-length`; `undefined` when absent. */
  readonly contentLength: number | undefined;
  /** True for a response with a 1xx status. */
  readonly informational: boolean;
}

const wellFormed: HeaderListFacts = { malformed: false, contentLength: undefined, informational: false };
const malformed: HeaderListFacts = { malformed: true, contentLength: undefined, informational: false };

/** Pseudo-header fields as bits, by kind. */
const bitOf = (kind: number): number => 1 << kind;
const requestBits =
  bitOf(fieldKinds.method) | bitOf(fieldKinds.scheme) | bitOf(fieldKinds.path) | bitOf(fieldKinds.authority);
const requiredBits = bitOf(fieldKinds.method) | bitOf(fieldKinds.scheme) | bitOf(fieldKinds.path);
const connectBits = bitOf(fieldKinds.method) | bitOf(fieldKinds.authority);

type ListKind = "request" | "response" | "trailers";

const allowedBits: Readonly<Record<ListKind, number>> = {
  request: requestBits,
  response: bitOf(fieldKinds.status),
  trailers: 0,
};

/** Checks a header list against RFC 9113 section 8.3: which pseudo-header fields it has, how often, and before all others. */
export function checkHeaderList(fields: readonly Field[], kind: ListKind): HeaderListFacts {
  const allowed = allowedBits[kind];
  let seen = 0;
  let regular = false;
  let connect = false;
  let contentLength: number | undefined;
  let informational = false;
  for (const field of fields) {
    switch (field.kind) {
      case fieldKinds.regular:
        regular = true;
        break;
      case fieldKinds.malformed:
        return malformed;
      case fieldKinds.contentLength: {
        regular = true;
        const length = /^\d{1,15}$/.test(field.value) ? Number(field.value) : -1;
        if (length < 0 || (contentLength !== undefined && contentLength !== length)) return malformed;
        contentLength = length;
        break;
      }
      case fieldKinds.method:
      case fieldKinds.scheme:
      case fieldKinds.path:
      case fieldKinds.authority:
      case fieldKinds.status: {
        const bit = bitOf(field.kind);
        if (regular || (allowed & bit) === 0 || (seen & bit) !== 0) return malformed;
        seen |= bit;
        if (field.kind === fieldKinds.path && field.value === "") return malformed;
        if (field.kind === fieldKinds.method) connect = field.value === "CONNECT";
        if (field.kind === fieldKinds.status) {
          if (!/^[1-9]\d\d$/.test(field.value)) return malformed;
          informational = field.value.startsWith("1");
        }
      }
    }
  }
  if (kind === "request" && (connect ? seen !== connectBits : (seen & requiredBits) !== requiredBits)) return malformed;
  if (kind === "response" && seen === 0) return malformed;
  return contentLength === undefined && !informational
    ? wellFormed
    : { malformed: false, contentLength, informational };
}

/** Removes padding and priority from the payload of HEADERS; gives the dependency for the check against itself. */
export function headerFragment(
  payload: Buffer,
  padded: boolean,
  hasPriority: boolean,
): { readonly fragment: Buffer; readonly dependsOn: number } | { readonly problem: number } {
  if (!padded && !hasPriority) return { fragment: payload, dependsOn: -1 };
  let start = 0;
  let end = payload.length;
  if (padded) {
    const padding = payload[0];
    if (padding === undefined) return { problem: errorCodes.frameSizeError };
    start = 1;
    end -= padding;
  }
  let dependsOn = -1;
  if (hasPriority) {
    if (payload.length < start + 5) return { problem: errorCodes.frameSizeError };
    dependsOn = payload.readUInt32BE(start) & 0x7fff_ffff;
    start += 5;
  }
  if (start > end) return { problem: errorCodes.protocolError };
  return { fragment: payload.subarray(start, end), dependsOn };
}
