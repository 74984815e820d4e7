import { OsError } from "@talos-ts/base";
import type { Session } from "../session/session.ts";

/**
 * Does something on all nodes at once and waits for all of them, so that none is left in the middle.
 *
 * @param doing For the error, as in `error pulling upgrade image`.
 * @throws {OsError} of the first node that failed, with the messages of all that did
 */
export async function onAllNodes(
  session: Session,
  doing: string,
  work: (target: string | undefined, node: string) => Promise<void>,
): Promise<void> {
  const failures: { readonly node: string; readonly cause: OsError }[] = [];
  await Promise.all(
    session.targets.map(async (target) => {
      const node = target ?? session.defaultNode;
      await work(target, node).catch((err: unknown) => failures.push({ node, cause: OsError.from(err) }));
    }),
  );
  const [first] = failures;
  if (first === undefined) return;
  const { kind, code, next, cause } = first.cause;
  throw new OsError({
    kind,
    code,
    message: `error ${doing}: ${failures.map((each) => `error from node ${each.node}: ${each.cause.message}`).join("; ")}`,
    ...(next !== undefined && { next }),
    cause,
  });
}
