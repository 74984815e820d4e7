import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface Collection {
  readonly type: "minor" | "major";
  /** With `last-resort` the heap shrinks too. @default it keeps its size */
  readonly flavor?: "last-resort";
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (collection: Collection & { readonly execution: "sync" }) => void;
setFlagsFromString("--no-expose-gc");

/** Collects what nobody holds, so that memory can be compared. */
export function collectGarbage(collection: Collection): void {
  collect({ ...collection, execution: "sync" });
}
