import { OsError } from "@talos-ts/base";
import type { Session } from "../session/session.ts";

/**
 * Does something on all nodes at once and waits for all of them, so that none is left in the middle.
 *
 * @param doing For the error, as in `error pulling upgrade image`.
 * @throws {OsError} of the first node, in the order they were named, that failed, with the messages of all that did and
 *   the first advice that one of them has: which node was quicker changes nothing
 */
export async function onAllNodes(
  session: Session,
  doing: string,
  work: (target: string | undefined, node: string) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.all(
    session.targets.map(async (target) => {
      const node = target ?? session.defaultNode;
      return work(target, node).then(
        () => undefined,
        (err: unknown) => ({ node, cause: OsError.from(err) }),
      );
    }),
  );
  const failures = outcomes.filter((each) => each !== undefined);
  const [first] = failures;
  if (first === undefined) return;
  const { kind, code, cause } = first.cause;
  const next = failures.map((each) => each.cause.next).find((each) => each !== undefined);
  throw new OsError({
    kind,
    code,
    message: `error ${doing}: ${failures.map((each) => `error from node ${each.node}: ${each.cause.message}`).join("; ")}`,
    ...(next !== undefined && { next }),
    details: { errors: failures.map((each) => each.cause) },
    cause,
  });
}
