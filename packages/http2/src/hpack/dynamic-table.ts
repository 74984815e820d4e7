import type { Field } from "../field.ts";

/**
 * The dynamic table of one direction (RFC 7541 section 2.3.2): a ring of fields, the newest first.
 *
 * Fields are numbered from 1 in the order of their insertion, so that a number stays valid while the field is in the table.
 */
export class DynamicTable {
  readonly #onEvict: ((field: Field, number: number) => void) | undefined;
  #ring: (Field | undefined)[];
  #inserted = 0;
  #count = 0;
  #bytes = 0;
  #maxBytes: number;

  constructor(maxBytes: number, onEvict?: (field: Field, number: number) => void) {
    this.#maxBytes = maxBytes;
    this.#onEvict = onEvict;
    this.#ring = Array.from({ length: 64 });
  }

  /** Number of fields. */
  get length(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** Number of the field inserted last. */
  get newest(): number {
    return this.#inserted;
  }

  /** Reports whether the field with this number is still in the table. */
  has(number: number): boolean {
    return number > this.#inserted - this.#count;
  }

  /** The field at distance `index` from the newest, which has 0; `undefined` beyond the oldest. */
  at(index: number): Field | undefined {
    if (index >= this.#count) return undefined;
    return this.#ring[(this.#inserted - index) & (this.#ring.length - 1)];
  }

  /** Inserts a field as the newest; one larger than the table empties it. */
  insert(field: Field): void {
    const { size } = field;
    this.#evictTo(this.#maxBytes - size);
    if (size > this.#maxBytes) return;
    if (this.#count + 1 >= this.#ring.length) this.#grow();
    this.#inserted += 1;
    this.#ring[this.#inserted & (this.#ring.length - 1)] = field;
    this.#count += 1;
    this.#bytes += size;
  }

  resize(maxBytes: number): void {
    this.#maxBytes = maxBytes;
    this.#evictTo(maxBytes);
  }

  #evictTo(bytes: number): void {
    while (this.#bytes > Math.max(0, bytes)) {
      const number = this.#inserted - this.#count + 1;
      const slot = number & (this.#ring.length - 1);
      const field = this.#ring[slot] as Field;
      this.#ring[slot] = undefined;
      this.#count -= 1;
      this.#bytes -= field.size;
      this.#onEvict?.(field, number);
    }
  }

  #grow(): void {
    const larger: (Field | undefined)[] = Array.from({ length: this.#ring.length * 2 });
    for (let index = 0; index < this.#count; index += 1) {
      larger[(this.#inserted - index) & (larger.length - 1)] = this.at(index);
    }
    this.#ring = larger;
  }
}
