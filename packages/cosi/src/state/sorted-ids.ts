/**
 * The ids of a growing and shrinking set in order, put in order only when somebody asks. Appending to a sorted run keeps
 * the sort close to linear.
 */
export interface SortedIds {
  add(id: string): void;
  delete(): void;
  /** In order. `has` tells which ids are still there. */
  values(has: (id: string) => boolean): readonly string[];
}

export function createSortedIds(): SortedIds {
  let ids: string[] = [];
  let inOrder = true;
  let stale = false;

  return {
    add(id) {
      const last = ids.at(-1);
      if (last !== undefined && last >= id) inOrder = false;
      ids.push(id);
    },
    delete() {
      stale = true;
    },
    values(has) {
      if (!inOrder) ids.sort();
      // An id that was deleted and added again is there twice.
      if (stale) ids = ids.filter((id, index) => id !== ids[index - 1] && has(id));
      inOrder = true;
      stale = false;
      return ids;
    },
  };
}
