import { field, list, message, text, type ValueOf } from "../dsl/index.ts";

/** All values of one command line argument. */
export const argValues = message({
  values: field(1, list(text)),
});

export type ArgValues = ValueOf<typeof argValues>;
