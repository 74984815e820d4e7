import { OsError } from "@talos-ts/base";
import type { Invocation } from "../command.ts";

const failures = new WeakMap<Invocation, { readonly failed: number; readonly asked: number }>();

/** Notes that some of the nodes of a command failed, which were told as warnings. */
export function notePartialFailure(invocation: Invocation, failed: number, asked: number): void {
  const before = failures.get(invocation)?.failed ?? 0;
  if (failed > before) failures.set(invocation, { failed, asked });
}

/** Returns the error a command ends with that did all it could, but not for all nodes; `undefined` when none failed. */
export function partialFailureOf(invocation: Invocation): OsError | undefined {
  const found = failures.get(invocation);
  if (found === undefined) return undefined;
  return new OsError({
    kind: "unavailable",
    code: "cli/partial-failure",
    message: `${String(found.failed)} of ${String(found.asked)} nodes failed, see the warnings above`,
    next: "talosctl doctor connection",
  });
}
