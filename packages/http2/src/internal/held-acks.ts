import type { OutBuffer } from "../frame/out-buffer.ts";

/** Acknowledgements that may be held at once; one more lets all of them go. */
const maxHeldAcks = 3;

/**
 * Acknowledgements of PING that leave behind other output instead of ahead of it.
 *
 * One that leaves alone costs a TLS record and wakes the peer up. And clients written in Go widen their windows by the bytes that
 * come between a PING and its acknowledgement: one that overtakes data which waits for window keeps the window narrow.
 */
export class HeldAcks {
  readonly #out: OutBuffer;
  #payloads: Buffer[] = [];

  constructor(out: OutBuffer) {
    this.#out = out;
  }

  get size(): number {
    return this.#payloads.length;
  }

  /** Holds an acknowledgement until `release`, of which no more than a few wait. */
  hold(payload: Buffer): void {
    // The memory of what was received is read into again.
    this.#payloads.push(Buffer.from(payload));
    if (this.#payloads.length > maxHeldAcks) this.release();
  }

  /** Puts every acknowledgement that is held behind the output. */
  release(): void {
    for (const payload of this.#payloads) this.#out.ping(payload, true);
    this.#payloads = [];
  }
}
