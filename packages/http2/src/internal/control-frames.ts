import { errorCodes, flags, frameTypes, maxUint31 } from "../constants.ts";
import { Http2Error } from "../errors.ts";
import type { OutBuffer } from "../frame/out-buffer.ts";
import type { FloodGuard } from "./flood-guard.ts";
import type { HeldAcks } from "./held-acks.ts";
import { applySettings, type PeerSettings } from "./peer-settings.ts";

export interface ControlFramesOptions {
  readonly role: "client" | "server";
  readonly out: OutBuffer;
  readonly acks: HeldAcks;
  readonly guard: FloodGuard;
  readonly peer: PeerSettings;
  readonly onSettings: (windowDelta: number, first: boolean) => void;
  readonly onGoaway: (code: number, lastStreamId: number) => void;
}

/** The frames of the connection itself: SETTINGS, PING, GOAWAY, and those of unknown types, which are ignored. */
export class ControlFrames {
  readonly #options: ControlFramesOptions;
  readonly #pings = new Map<number, () => void>();
  #lastPing = 0;
  #ready = false;

  constructor(options: ControlFramesOptions) {
    this.#options = options;
  }

  /** The peer's first SETTINGS arrived. */
  get ready(): boolean {
    return this.#ready;
  }

  ping(answered: () => void): void {
    this.#lastPing += 1;
    this.#pings.set(this.#lastPing, answered);
    const opaque = Buffer.alloc(8);
    opaque.writeUInt32BE(this.#lastPing, 4);
    this.#options.out.ping(opaque, false);
  }

  /** @throws {Http2Error} for a frame that breaks the protocol. */
  onFrame(type: number, frameFlags: number, streamId: number, payload: Buffer): void {
    const { guard } = this.#options;
    if (type !== frameTypes.settings && type !== frameTypes.ping && type !== frameTypes.goaway) {
      if (type === frameTypes.pushPromise)
        throw new Http2Error(errorCodes.protocolError, "PUSH_PROMISE is not allowed");
      guard.control(1);
      return;
    }
    if (streamId !== 0) {
      throw new Http2Error(errorCodes.protocolError, "A frame of the connection came on a stream");
    }
    const ack = (frameFlags & flags.ack) !== 0;
    if (type === frameTypes.settings) this.#onSettings(ack, payload);
    else if (type === frameTypes.ping) this.#onPing(ack, payload);
    else this.#onGoaway(payload);
  }

  #onSettings(ack: boolean, payload: Buffer): void {
    const { guard, out, peer, role } = this.#options;
    if (payload.length % 6 !== 0 || (ack && payload.length > 0)) {
      throw new Http2Error(errorCodes.frameSizeError, "SETTINGS has a wrong length");
    }
    guard.control(1 + payload.length / 96);
    if (ack) {
      if (!this.#ready) throw new Http2Error(errorCodes.protocolError, "The first frame acknowledges SETTINGS");
      return;
    }
    const before = peer.initialWindowBytes;
    applySettings(peer, payload, role === "server" ? "client" : "server");
    out.settingsAck();
    const first = !this.#ready;
    this.#ready = true;
    this.#options.onSettings(peer.initialWindowBytes - before, first);
  }

  #onPing(ack: boolean, payload: Buffer): void {
    if (payload.length !== 8) throw new Http2Error(errorCodes.frameSizeError, "PING has a wrong length");
    this.#options.guard.control(1);
    if (!ack) {
      this.#options.acks.hold(payload);
      return;
    }
    const number = payload.readUInt32BE(4);
    const answered = payload.readUInt32BE(0) === 0 ? this.#pings.get(number) : undefined;
    this.#pings.delete(number);
    answered?.();
  }

  #onGoaway(payload: Buffer): void {
    if (payload.length < 8) throw new Http2Error(errorCodes.frameSizeError, "GOAWAY has a wrong length");
    this.#options.guard.control(1);
    this.#options.onGoaway(payload.readUInt32BE(4), payload.readUInt32BE(0) & maxUint31);
  }
}
