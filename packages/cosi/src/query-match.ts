import { matchesTerm } from "./label-match.ts";
import type { Query } from "./query.ts";
import type { Resource } from "./resource.ts";

/** Reports whether a resource is among those a query asks for. */
export function matchesQuery(query: Query, { metadata }: Resource): boolean {
  // `search` and not `test`, which would remember where a global expression stopped.
  if (query.id !== undefined && metadata.id.search(query.id) === -1) return false;
  const alternatives = query.labels ?? [];
  return (
    alternatives.length === 0 ||
    alternatives.some(({ terms }) => terms.every((term) => matchesTerm(metadata.labels, term)))
  );
}

/** Reports whether a query lets everything through. */
export function matchesAll(query: Query | undefined): boolean {
  return query === undefined || (query.id === undefined && (query.labels ?? []).length === 0);
}
