import { errorCodes } from "../constants.ts";
import { Http2Error } from "../errors.ts";
import type { Field } from "../field.ts";
import type { HpackDecoder } from "../hpack/decoder.ts";
import type { Http2Limits } from "../limits.ts";

/** A header list as it was received; `tooLarge` lists are decoded for the sake of the table but not kept. */
export interface HeaderList {
  readonly fields: Field[];
  readonly tooLarge: boolean;
}

/** Puts a header block together from HEADERS and CONTINUATION frames, within bounds. */
export class HeaderBlock {
  readonly #decoder: HpackDecoder;
  readonly #limits: Pick<Http2Limits, "maxHeaderListBytes" | "maxContinuations">;
  /** Stream of the block under way; `0` when there is none. */
  streamId = 0;
  endStream = false;
  /** The HEADERS frame made its stream depend on itself. */
  selfDependent = false;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(decoder: HpackDecoder, limits: Pick<Http2Limits, "maxHeaderListBytes" | "maxContinuations">) {
    this.#decoder = decoder;
    this.#limits = limits;
  }

  get open(): boolean {
    return this.streamId !== 0;
  }

  begin(streamId: number, endStream: boolean, selfDependent: boolean): void {
    this.streamId = streamId;
    this.endStream = endStream;
    this.selfDependent = selfDependent;
  }

  /** @throws {Http2Error} ENHANCE_YOUR_CALM when the block is larger, or in more parts, than allowed. */
  add(fragment: Buffer, last: boolean): void {
    this.#bytes += fragment.length;
    if (this.#bytes > this.#limits.maxHeaderListBytes || this.#parts.length > this.#limits.maxContinuations) {
      throw new Http2Error(errorCodes.enhanceYourCalm, "A header block is too large");
    }
    // A fragment that is not the last outlives the chunk it is a view of.
    this.#parts.push(last ? fragment : Buffer.from(fragment));
  }

  /** @throws {Http2Error} COMPRESSION_ERROR. */
  decode(): HeaderList {
    const [first = Buffer.alloc(0)] = this.#parts;
    const block = this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
    const fields: Field[] = [];
    let size = 0;
    const { maxHeaderListBytes } = this.#limits;
    this.#decoder.decode(block, (field) => {
      size += field.size;
      if (size <= maxHeaderListBytes) fields.push(field);
    });
    this.#parts = [];
    this.#bytes = 0;
    this.streamId = 0;
    return { fields, tooLarge: size > maxHeaderListBytes };
  }
}
