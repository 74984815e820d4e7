import type { NodeFacts } from "./support-file.ts";
import { mergeTimelines, type TimelineEntry } from "./timeline.ts";

/** First thing that was wrong, and why it is said. */
export interface FirstProblem {
  readonly reason: string;
  readonly entry: TimelineEntry | undefined;
}

/**
 * Finds what was wrong first. What is wrong now comes before what was: the earliest trouble of a service that is still unhealthy, else the
 * earliest trouble in any log. Services wait for each other, so the earliest is the best guess for the cause.
 */
export function findFirstProblem(nodes: readonly NodeFacts[]): FirstProblem {
  const timeline = mergeTimelines(nodes.map((node) => node.timeline));
  const unhealthy = new Set(
    nodes.flatMap(({ node, services }) =>
      services
        .filter(({ state, health }) => state === "Failed" || (health?.unknown === false && !health.healthy))
        .map(({ id }) => `${node} ${id}`),
    ),
  );
  const ofUnhealthy = timeline.find(({ problem, node, source }) => problem && unhealthy.has(`${node} ${source}`));
  if (ofUnhealthy !== undefined) {
    return {
      reason: `the earliest trouble of a service that is not healthy now (${ofUnhealthy.source})`,
      entry: ofUnhealthy,
    };
  }
  const unreachable = nodes.find(({ version }) => version === "");
  if (unreachable !== undefined) {
    const why = unreachable.errors[0]?.message ?? "it did not answer";
    return { reason: `node ${unreachable.node} cannot be asked: ${why}`, entry: undefined };
  }
  const diagnosed = nodes.find(({ diagnostics }) => diagnostics.length > 0);
  if (diagnosed !== undefined) {
    return { reason: `node ${diagnosed.node}: ${diagnosed.diagnostics[0]?.message ?? ""}`, entry: undefined };
  }
  const first = timeline.find(({ problem }) => problem);
  if (first === undefined)
    return { reason: "nothing is wrong: all services are healthy and no log tells of trouble", entry: undefined };
  return { reason: "all services are healthy now; this is the earliest trouble that a log tells of", entry: first };
}
