import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  LabelQuerySchema,
  LabelTerm_Operation,
  type IDQuery,
  type LabelQuery as WireLabelQuery,
} from "@talos-ts/proto/cosi/resource";
import { OsError } from "@talos-ts/base";
import { unsupported } from "../errors.ts";
import type { LabelTerm, Query } from "../query.ts";
import { compileLinear, expressionSource } from "./linear-regexp.ts";

const operations: Readonly<Record<LabelTerm["op"], LabelTerm_Operation>> = {
  exists: LabelTerm_Operation.EXISTS,
  equal: LabelTerm_Operation.EQUAL,
  in: LabelTerm_Operation.IN,
  lt: LabelTerm_Operation.LT,
  lte: LabelTerm_Operation.LTE,
  "lt-numeric": LabelTerm_Operation.LT_NUMERIC,
  "lte-numeric": LabelTerm_Operation.LTE_NUMERIC,
};

const operators = new Map<LabelTerm_Operation, LabelTerm["op"]>(
  Object.entries(operations).map(([op, operation]) => [operation, op as LabelTerm["op"]]),
);

/** The two fields in which list and watch options carry a query. */
export interface WireQuery {
  readonly labelQuery: readonly WireLabelQuery[];
  readonly idQuery?: IDQuery | undefined;
}

/** Terms and values of one query; each is compared with every resource of the kind. */
const maxTerms = 256;

/** @throws unsupported, `cosi/query-too-large`, or `cosi/bad-expression` */
export function decodeQuery(options: WireQuery | undefined): Query {
  checkSize(options?.labelQuery ?? []);
  const expression = options?.idQuery?.regexp ?? "";
  return {
    ...(expression !== "" && { id: compileLinear(expression) }),
    labels: (options?.labelQuery ?? []).map(({ terms }) => ({
      terms: terms.map(({ key, op, value, invert }) => {
        // The older way to say "exists, inverted".
        if (op === LabelTerm_Operation.NOT_EXISTS) return { key, op: "exists" as const, values: [], invert: true };
        const known = operators.get(op);
        if (known === undefined) throw unsupported(`unsupported label query operator: ${String(op)}`);
        return { key, op: known, values: value, invert };
      }),
    })),
  };
}

function checkSize(queries: readonly WireLabelQuery[]): void {
  let size = queries.length;
  for (const { terms } of queries) for (const { value } of terms) size += 1 + value.length;
  if (size <= maxTerms) return;
  throw new OsError({
    kind: "resource-exhausted",
    code: "cosi/query-too-large",
    message: `Cannot list by a query of ${String(size)} label queries, terms and values: at most ${String(maxTerms)} are allowed`,
  });
}

export function encodeQuery(query: Query | undefined): {
  labelQuery: MessageInitShape<typeof LabelQuerySchema>[];
  idQuery?: { regexp: string };
} {
  return {
    labelQuery: (query?.labels ?? []).map(({ terms }) =>
      create(LabelQuerySchema, {
        terms: terms.map(({ key, op, values, invert }) => ({ key, op: operations[op], value: [...values], invert })),
      }),
    ),
    ...(query?.id !== undefined && { idQuery: { regexp: expressionSource(query.id) } }),
  };
}
