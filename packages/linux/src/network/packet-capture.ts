/** One instruction of a classic BPF program (struct sock_filter). */
export interface BpfInstruction {
  /** 16 bits. */
  readonly op: number;
  /** Instructions to skip when true, 8 bits. */
  readonly jt: number;
  /** Instructions to skip when false, 8 bits. */
  readonly jf: number;
  /** 32 bits. */
  readonly k: number;
}

/** Settings of a packet capture. */
export interface PacketCaptureOptions {
  readonly linkIndex: number;
  /** Bytes kept of each frame; the rest is cut off. */
  readonly snapLength: number;
  /** Takes frames that are for other stations too (PACKET_MR_PROMISC). @default {false} */
  readonly promiscuous?: boolean;
  /** The kernel drops what this program does not accept. @default every frame is taken */
  readonly filter?: readonly BpfInstruction[];
}

/** A frame as it passed the link. */
export interface CapturedFrame {
  /** Time of arrival since the epoch, in nanoseconds. */
  readonly nanoseconds: bigint;
  /** Its first bytes, at most `snapLength`. */
  readonly bytes: Buffer;
  /** Its whole length. */
  readonly originalLength: number;
}

/**
 * A capture of all frames of one link (packet(7)). Frames wait in the kernel while nobody reads: its buffer is bounded, and what
 * does not fit is counted, so that a slow reader costs no memory of this process. Dispose ends the iteration.
 */
export interface PacketCapture extends Disposable {
  /** Frames in order, in batches of what was waiting. */
  readonly batches: AsyncIterable<readonly CapturedFrame[]>;
  /** Frames since the last call, and how many of them were dropped for want of room. */
  statistics(): { readonly frames: number; readonly dropped: number };
}
