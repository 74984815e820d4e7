import { matchesAll, matchesQuery } from "../query-match.ts";
import type { Query } from "../query.ts";
import type { Event } from "../state.ts";

type Select = (events: readonly Event[]) => readonly Event[];

/** Events of one resource. */
export function selectId(id: string): Select {
  return (events) => events.filter((event) => event.resource?.metadata.id === id);
}

/**
 * Events of the resources a query asks for. A resource that begins to match is `created` for this watch and one that
 * ceases to match is `destroyed`, so that the reader's picture stays that of the query.
 */
export function selectQuery(query: Query | undefined): Select {
  if (query === undefined || matchesAll(query)) return (events) => events;
  return (events) => events.map((event) => project(event, query)).filter((event) => event !== undefined);
}

function project(event: Event, query: Query): Event | undefined {
  if (event.resource === undefined) return event;
  const { type, resource, bookmark } = event;
  const now = matchesQuery(query, resource);
  if (type !== "updated") return now ? event : undefined;
  const before = matchesQuery(query, event.old);
  if (now && before) return event;
  if (now) return { type: "created", resource, bookmark };
  return before ? { type: "destroyed", resource, bookmark } : undefined;
}
