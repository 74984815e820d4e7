import { OsError } from "@talos-ts/base";

/** Text for ordinary keys, bytes for keys that end in `-bin`. */
export type MetadataValue = string | Uint8Array;

/** Metadata as callers write it: an object of values or lists of values, pairs, or metadata. */
export type MetadataInit =
  | Iterable<readonly [string, MetadataValue]>
  | Readonly<Record<string, MetadataValue | readonly MetadataValue[]>>;

/** Type of the values of a metadata key: bytes for `-bin` keys (gRPC over HTTP/2), text for others. */
export type ValueOf<K extends string> = string extends K
  ? MetadataValue
  : K extends `${string}-bin`
    ? Uint8Array
    : string;

const keyPattern = /^[0-9a-z_.-]+$/;
const textPattern = /^[\x20-\x7e]*$/;

/**
 * The case-insensitive multi-map that travels beside the messages of a call.
 *
 * Order of values of one key is kept; order between keys is not promised by HTTP/2.
 */
export class Metadata implements Iterable<readonly [string, MetadataValue]> {
  readonly #values = new Map<string, MetadataValue[]>();

  constructor(init?: MetadataInit) {
    if (init !== undefined) this.merge(init);
  }

  /** The first value of the key. */
  get<K extends string>(key: K): ValueOf<K> | undefined {
    return this.#values.get(key.toLowerCase())?.[0] as ValueOf<K> | undefined;
  }

  getAll<K extends string>(key: K): readonly ValueOf<K>[] {
    return (this.#values.get(key.toLowerCase()) ?? []) as ValueOf<K>[];
  }

  has(key: string): boolean {
    return this.#values.has(key.toLowerCase());
  }

  /**
   * Replaces all values of the key.
   *
   * @throws {OsError} `grpc/bad-metadata` when key or value cannot travel in a header.
   */
  set(key: string, value: MetadataValue | readonly MetadataValue[]): this {
    const name = checkKey(key);
    const values = typeof value === "string" || value instanceof Uint8Array ? [value] : [...value];
    for (const each of values) checkValue(name, each);
    if (values.length === 0) this.#values.delete(name);
    else this.#values.set(name, values);
    return this;
  }

  /** @throws {OsError} `grpc/bad-metadata`, like `set`. */
  append(key: string, value: MetadataValue): this {
    const name = checkKey(key);
    checkValue(name, value);
    this.#push(name, value);
    return this;
  }

  /** Appends a value whose key, in lower case, and text were checked before. */
  appendChecked(name: string, value: MetadataValue): void {
    this.#push(name, value);
  }

  /** Reports whether a name in lower case can be a key. */
  static isKey(name: string): boolean {
    return keyPattern.test(name);
  }

  /** Reports whether a text can be the value of a key without `-bin`. */
  static isText(value: string): boolean {
    return textPattern.test(value);
  }

  delete(key: string): boolean {
    return this.#values.delete(key.toLowerCase());
  }

  /** Appends every value of `other`. */
  merge(other: MetadataInit): this {
    if (other instanceof Metadata) {
      for (const [key, values] of other.#values) for (const value of values) this.#push(key, value);
    } else if (isPairs(other)) {
      for (const [key, value] of other) this.append(key, value);
    } else {
      for (const [key, value] of Object.entries(other)) this.set(key, [...this.getAll(key), ...[value].flat()]);
    }
    return this;
  }

  clone(): Metadata {
    return new Metadata(this);
  }

  get size(): number {
    return this.#values.size;
  }

  keys(): IterableIterator<string> {
    return this.#values.keys();
  }

  /** One pair per value, keys in lower case. */
  *entries(): IterableIterator<readonly [string, MetadataValue]> {
    for (const [key, values] of this.#values) for (const value of values) yield [key, value];
  }

  [Symbol.iterator](): IterableIterator<readonly [string, MetadataValue]> {
    return this.entries();
  }

  #push(name: string, value: MetadataValue): void {
    const values = this.#values.get(name);
    if (values === undefined) this.#values.set(name, [value]);
    else values.push(value);
  }
}

function isPairs(init: MetadataInit): init is Iterable<readonly [string, MetadataValue]> {
  return Symbol.iterator in init;
}

function checkKey(key: string): string {
  const name = key.toLowerCase();
  if (!keyPattern.test(name)) throw bad(`Cannot use metadata key "${key}": expected letters, digits, "_", "-" or "."`);
  return name;
}

function checkValue(name: string, value: MetadataValue): void {
  const binary = name.endsWith("-bin");
  if (binary && typeof value === "string") throw bad(`Cannot set metadata "${name}" to text: "-bin" keys hold bytes`);
  if (!binary && typeof value !== "string")
    throw bad(`Cannot set metadata "${name}" to bytes: only "-bin" keys hold them`);
  if (typeof value === "string" && !textPattern.test(value)) {
    throw bad(`Cannot set metadata "${name}" to ${JSON.stringify(value)}: expected printable ASCII`);
  }
}

function bad(message: string): OsError {
  return new OsError({ kind: "invalid-argument", code: "grpc/bad-metadata", message });
}
