import { field, message, type ValueOf } from "../dsl/index.ts";
import { routingTable } from "../enums/index.ts";

/** Settings of a virtual routing domain. */
export const vrfMaster = message({
  table: field(1, routingTable),
});

export type VrfMaster = ValueOf<typeof vrfMaster>;
