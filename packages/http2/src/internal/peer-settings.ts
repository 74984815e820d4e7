import { defaultMaxFrameBytes, defaultWindowBytes, errorCodes, maxUint31, settingIds } from "../constants.ts";
import { Http2Error } from "../errors.ts";

/** Settings of the peer, with the values that hold before it says anything (RFC 9113 section 6.5.2). */
export interface PeerSettings {
  headerTableBytes: number;
  maxConcurrentStreams: number;
  initialWindowBytes: number;
  maxFrameBytes: number;
  maxHeaderListBytes: number;
}

export function initialPeerSettings(): PeerSettings {
  return {
    headerTableBytes: 4096,
    maxConcurrentStreams: Number.POSITIVE_INFINITY,
    initialWindowBytes: defaultWindowBytes,
    maxFrameBytes: defaultMaxFrameBytes,
    maxHeaderListBytes: Number.POSITIVE_INFINITY,
  };
}

/**
 * Applies the payload of a SETTINGS frame.
 *
 * @throws {Http2Error} for a value out of range; unknown settings are ignored.
 */
export function applySettings(settings: PeerSettings, payload: Buffer, peer: "client" | "server"): void {
  for (let offset = 0; offset < payload.length; offset += 6) {
    const value = payload.readUInt32BE(offset + 2);
    switch (payload.readUInt16BE(offset)) {
      case settingIds.headerTableSize:
        settings.headerTableBytes = value;
        break;
      case settingIds.enablePush:
        if (value > (peer === "client" ? 1 : 0)) throw outOfRange("ENABLE_PUSH", value);
        break;
      case settingIds.maxConcurrentStreams:
        settings.maxConcurrentStreams = value;
        break;
      case settingIds.initialWindowSize:
        if (value > maxUint31) throw outOfRange("INITIAL_WINDOW_SIZE", value, errorCodes.flowControlError);
        settings.initialWindowBytes = value;
        break;
      case settingIds.maxFrameSize:
        if (value < 16_384 || value > 16_777_215) throw outOfRange("MAX_FRAME_SIZE", value);
        settings.maxFrameBytes = value;
        break;
      case settingIds.maxHeaderListSize:
        settings.maxHeaderListBytes = value;
        break;
      default:
    }
  }
}

function outOfRange(name: string, value: number, code: number = errorCodes.protocolError): Http2Error {
  return new Http2Error(code, `SETTINGS_${name} of ${String(value)} is out of range`);
}
