/** One step of a path: what it makes of each value it is given. */
export type Step =
  | { readonly do: "field"; readonly name: string }
  | { readonly do: "wildcard" }
  | { readonly do: "recursive" }
  | { readonly do: "slice"; readonly slice: Slice }
  | { readonly do: "union"; readonly paths: readonly Path[] }
  | { readonly do: "filter"; readonly left: Path; readonly test: Test | undefined }
  | { readonly do: "literal"; readonly value: string | number | boolean };

export type Path = readonly Step[];

/** `[from:to:step]`; a single index `[n]` has neither `to` nor `step` and takes one element. */
export interface Slice {
  readonly single: boolean;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number | undefined;
}

/** A comparison inside a filter. */
export interface Test {
  readonly operator: Operator;
  readonly right: Path;
}

export const operators = ["==", "!=", "<=", ">=", "<", ">"] as const;

export type Operator = (typeof operators)[number];

/** One part of a template: text, a path in braces, or a loop from `{range path}` to `{end}`. */
export type Part =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "path"; readonly path: Path }
  | { readonly is: "range"; readonly path: Path; readonly body: readonly Part[] };
