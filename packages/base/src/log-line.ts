/* oxlint-disable no-control-regex -- control characters are what this is about */

import { isoTime } from "./iso-time.ts";

/** Takes one line of a daemon's log; never a secret. */
export type Log = (line: string) => void;

/** One line of a daemon's log. Control characters are spelled out, so that what peers sent cannot forge lines. */
export function logLine(text: string, at: Date): string {
  return `${isoTime(at.getTime())} ${text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, spelled)}`;
}

function spelled(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
