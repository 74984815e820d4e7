import { OsError } from "@talos-ts/base";

/** A condition that does not hold, and the command to look closer. */
export function unmet(message: string, next: string): OsError {
  return new OsError({ kind: "failed-precondition", code: "health/unmet", message, next });
}

/** `["a" "b"]`, as lists are written in messages of health checks. */
export function quoted(values: Iterable<string>): string {
  return `[${[...values].map((value) => JSON.stringify(value)).join(" ")}]`;
}

/** Reports whether both have the same members, in any order. */
export function sameSet(a: Iterable<string>, b: Iterable<string>): boolean {
  return new Set(a).symmetricDifference(new Set(b)).size === 0;
}
