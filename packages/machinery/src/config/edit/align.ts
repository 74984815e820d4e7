import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@talos-ts/base";
import { diffArrays } from "diff";
import { hasSameKey } from "../patch/merge.ts";
import type { Type } from "../schema/type.ts";

/** Describes what became of a list: items that stayed or changed in place, items that went, items that came. */
export type ListStep =
  | { readonly is: "kept"; readonly from: number; readonly to: number }
  | { readonly is: "removed"; readonly from: number }
  | { readonly is: "added"; readonly to: number };

/** Items are the same when they are equal or a patch would merge them; of the others, neighbours that are alike are paired. */
export function alignLists(type: Type<unknown>, before: readonly unknown[], after: readonly unknown[]): ListStep[] {
  const keys = type.is === "array" ? type.mergeKeys : undefined;
  const steps: ListStep[] = [];
  let [from, to, removed, added] = [0, 0, 0, 0];
  const flush = (): void => {
    while (removed > 0 && added > 0) {
      removed--;
      if (!areAlike(before[from], after[to])) steps.push({ is: "removed", from: from++ });
      else {
        steps.push({ is: "kept", from: from++, to: to++ });
        added--;
      }
    }
    for (; removed > 0; removed--) steps.push({ is: "removed", from: from++ });
    for (; added > 0; added--) steps.push({ is: "added", to: to++ });
  };
  const comparator = (left: unknown, right: unknown): boolean =>
    isDeepStrictEqual(left, right) || (keys !== undefined && hasSameKey(keys, left as object, right as object));
  for (const change of diffArrays([...before], [...after], { comparator })) {
    if (change.removed) removed += change.count;
    else if (change.added) added += change.count;
    else {
      flush();
      for (let rest = change.count; rest > 0; rest--) steps.push({ is: "kept", from: from++, to: to++ });
    }
  }
  flush();
  return steps;
}

/** Mappings that agree in nothing are not one that changed. */
function areAlike(left: unknown, right: unknown): boolean {
  if (!isRecord(left) || !isRecord(right)) return true;
  return Object.entries(left).some(([key, value]) => isDeepStrictEqual(value, right[key]));
}
