import { createHash, timingSafeEqual } from "node:crypto";

/** Compares a token with the expected one in constant time; an empty expected token never matches. */
export function isJoinToken(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected)) && expected !== "";
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
