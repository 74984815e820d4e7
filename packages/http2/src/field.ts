/**
 * Part that a header field plays in HTTP/2 (RFC 9113 section 8.2 and 8.3). `malformed` covers bad characters, upper case,
 * fields of one connection (`connection`, `upgrade`…) and unknown pseudo-header fields.
 */
export const fieldKinds = {
  regular: 0,
  method: 1,
  scheme: 2,
  path: 3,
  authority: 4,
  status: 5,
  contentLength: 6,
  malformed: 7,
} as const;

export type FieldKind = (typeof fieldKinds)[keyof typeof fieldKinds];

const kindByName = new Map<string, FieldKind>([
  [":method", fieldKinds.method],
  [":scheme", fieldKinds.scheme],
  [":path", fieldKinds.path],
  [":authority", fieldKinds.authority],
  [":status", fieldKinds.status],
  ["content-length", fieldKinds.contentLength],
  ["connection", fieldKinds.malformed],
  ["keep-alive", fieldKinds.malformed],
  ["proxy-connection", fieldKinds.malformed],
  ["transfer-encoding", fieldKinds.malformed],
  ["upgrade", fieldKinds.malformed],
]);

const namePattern = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
// oxlint-disable-next-line no-control-regex -- these are the characters that RFC 9113 section 8.2.1 forbids
const forbiddenInValue = /[\0\r\n]|^[ \t]|[ \t]$/;

/** Size of an entry beyond its name and value (RFC 7541 section 4.1), in bytes. */
const overheadBytes = 32;

/**
 * One header field. Entries of the HPACK tables are shared by every header list that refers to them, so what is found out
 * about a field once holds for all later requests.
 */
export class Field {
  readonly name: string;
  /** One character per byte (Latin-1). */
  readonly value: string;
  /** Scratch of the layer above for its own classification; `0` means not classified. */
  tag = 0;
  /** Scratch of the HPACK encoder that wrote the field last: itself, and the number of the entry in its table. */
  encoder: object | undefined;
  encoderEntry = 0;
  #kind: FieldKind | -1 = -1;

  constructor(name: string, value: string) {
    this.name = name;
    this.value = value;
  }

  /** Size in the sense of SETTINGS_MAX_HEADER_LIST_SIZE, in bytes. */
  get size(): number {
    return this.name.length + this.value.length + overheadBytes;
  }

  get kind(): FieldKind {
    return this.#kind === -1 ? (this.#kind = classify(this.name, this.value)) : this.#kind;
  }
}

function classify(name: string, value: string): FieldKind {
  if (forbiddenInValue.test(value)) return fieldKinds.malformed;
  const known = kindByName.get(name);
  if (known !== undefined) return known;
  if (!namePattern.test(name) || (name === "te" && value !== "trailers")) return fieldKinds.malformed;
  return fieldKinds.regular;
}

/** A header list from `[name, value]` pairs, in order. */
export function fieldsOf(...pairs: readonly (readonly [name: string, value: string])[]): Field[] {
  return pairs.map(([name, value]) => new Field(name, value));
}

/** The value of the first field of that name; `undefined` when absent. */
export function fieldValue(fields: readonly Field[], name: string): string | undefined {
  for (const field of fields) if (field.name === name) return field.value;
  return undefined;
}
