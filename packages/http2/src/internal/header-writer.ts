import { flags, frameHeaderBytes, frameTypes } from "../constants.ts";
import type { Field } from "../field.ts";
import { writeFrameHeader, type OutBuffer } from "../frame/out-buffer.ts";
import { HpackEncoder } from "../hpack/encoder.ts";
import type { PeerSettings } from "./peer-settings.ts";

/** Writes header lists as HEADERS and CONTINUATION frames. */
export class HeaderWriter {
  readonly #out: OutBuffer;
  readonly #peer: PeerSettings;
  readonly #encoder = new HpackEncoder();

  constructor(out: OutBuffer, peer: PeerSettings) {
    this.#out = out;
    this.#peer = peer;
  }

  /** The peer's settings changed. */
  applySettings(): void {
    this.#encoder.setTableBytes(this.#peer.headerTableBytes);
  }

  write(streamId: number, fields: readonly Field[], endStream: boolean): void {
    const out = this.#out;
    out.reserve(frameHeaderBytes + HpackEncoder.bound(fields));
    const start = out.position + frameHeaderBytes;
    const end = this.#encoder.encode(fields, out.bytes, start);
    const streamFlag = endStream ? flags.endStream : 0;
    if (end - start > this.#peer.maxFrameBytes) {
      this.#writeParts(streamId, Buffer.from(out.bytes.subarray(start, end)), streamFlag);
      return;
    }
    writeFrameHeader(out.bytes, out.position, end - start, frameTypes.headers, flags.endHeaders | streamFlag, streamId);
    out.position = end;
  }

  #writeParts(streamId: number, block: Buffer, streamFlag: number): void {
    const { maxFrameBytes } = this.#peer;
    for (let offset = 0; offset < block.length; offset += maxFrameBytes) {
      const part = block.subarray(offset, offset + maxFrameBytes);
      const last = offset + maxFrameBytes >= block.length ? flags.endHeaders : 0;
      if (offset === 0) this.#out.frameHeader(part.length, frameTypes.headers, last | streamFlag, streamId);
      else this.#out.frameHeader(part.length, frameTypes.continuation, last, streamId);
      this.#out.append(part);
    }
  }
}
