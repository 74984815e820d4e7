import { OsError } from "@talos-ts/base";
import { decodeFrame, decodeHeader, findMark, formatVersion, headerBytes, type LogHeader } from "./frame.ts";

export interface Replay {
  /** `undefined` when the file is empty or was never finished: there is nothing in it. */
  readonly header: LogHeader | undefined;
  readonly bodies: readonly Buffer[];
  /** The sequence the next frame has. */
  readonly sequence: number;
  /** Offset at which the intact part ends; what follows is the rest of a write that was cut off. */
  readonly end: number;
}

/**
 * Reads a log back. A write is one frame and the next begins only when it is on disk, so a power cut can damage the last
 * frame and no other: that one is left out. Damage in front of an intact frame has another cause, and is refused rather
 * than answered with half of the resources.
 *
 * @throws {OsError} `cosi/log-corrupt`, `cosi/log-format`
 */
export function replayLog(file: Buffer, path: string): Replay {
  const header = decodeHeader(file);
  if (header === undefined) {
    // A file appears under its name only when it is complete, so a wrong header is no accident of writing.
    if (file.length === 0) return { header, bodies: [], sequence: 0, end: 0 };
    throw new OsError({
      kind: "data-loss",
      code: "cosi/log-format",
      message: `Cannot read "${path}": it is not a resource log of version ${formatVersion}, or its header is damaged`,
    });
  }
  const bodies: Buffer[] = [];
  let end = headerBytes;
  for (;;) {
    const frame = decodeFrame(header, file, end);
    if (frame === undefined || frame.sequence !== bodies.length) break;
    bodies.push(frame.body);
    end = frame.end;
  }
  for (let offset = findMark(file, end); offset !== undefined; offset = findMark(file, offset + 1)) {
    const later = decodeFrame(header, file, offset);
    if (later !== undefined && later.sequence >= bodies.length) throw corrupt(path, end, offset);
  }
  return { header, bodies, sequence: bodies.length, end };
}

function corrupt(path: string, damaged: number, intact: number): OsError {
  return new OsError({
    kind: "data-loss",
    code: "cosi/log-corrupt",
    message: `Cannot read "${path}": damaged at byte ${damaged}, but intact again at byte ${intact}`,
    details: { path, damaged, intact },
  });
}
