import { message, omitEmpty, type ValueOf } from "../dsl/index.ts";
import { celExpression } from "../values/index.ts";

/** Selector by which a volume is located. */
export const volumeLocator = message({
  match: omitEmpty(1, celExpression),
  diskMatch: omitEmpty(2, celExpression),
});

export type VolumeLocator = ValueOf<typeof volumeLocator>;
