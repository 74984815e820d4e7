/** End of a stream, which decides the meaning of a late frame for it. */
export type Ending = "ended" | "reset-by-peer" | "reset-here";

const endings: readonly Ending[] = ["ended", "reset-by-peer", "reset-here"];
const capacity = 1024;

/** The streams closed last. A frame for one that this side reset crossed the reset and is dropped, others are errors. */
export class RecentlyClosed {
  readonly #ids = new Uint32Array(capacity);
  readonly #endings = new Uint8Array(capacity);
  #count = 0;

  add(streamId: number, ending: Ending): void {
    const slot = this.#count & (capacity - 1);
    this.#ids[slot] = streamId;
    this.#endings[slot] = endings.indexOf(ending);
    this.#count += 1;
  }

  /** `undefined` for a stream that never was, or was closed long ago. */
  find(streamId: number): Ending | undefined {
    const slot = this.#ids.lastIndexOf(streamId);
    return slot === -1 ? undefined : endings[this.#endings[slot] as number];
  }
}
