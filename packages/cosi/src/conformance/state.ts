import { derivedCriteria } from "./state-derived.ts";
import { group, type StateSubject } from "./state-fixtures.ts";
import { listCriteria } from "./state-list.ts";
import { watchKindCriteria } from "./state-watch-kind.ts";
import { watchCriteria } from "./state-watch.ts";
import { writeCriteria } from "./state-write.ts";

/**
 * Declares the suite every state must pass. A new implementation is right when it passes:
 *
 * ```ts
 * stateConformance({ name: "mine", boundsWatches: true, open: async (options) => … });
 * ```
 */
export function stateConformance(subject: StateSubject): void {
  group(`state conformance: ${subject.name}`, () => {
    writeCriteria(subject);
    listCriteria(subject);
    derivedCriteria(subject);
    watchCriteria(subject);
    watchKindCriteria(subject);
  });
}
