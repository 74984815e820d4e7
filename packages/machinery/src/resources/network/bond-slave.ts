import { int64, message, omitEmpty, text, type ValueOf } from "../dsl/index.ts";

/** Membership of a link in a bond. */
export const bondSlave = message({
  masterName: omitEmpty(1, text),
  slaveIndex: omitEmpty(2, int64),
});

export type BondSlave = ValueOf<typeof bondSlave>;
