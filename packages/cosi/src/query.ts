/** One condition on labels. `in` takes any of the values, the comparisons take one. */
export interface LabelTerm {
  readonly key: string;
  readonly op: "exists" | "equal" | "in" | "lt" | "lte" | "lt-numeric" | "lte-numeric";
  readonly values: readonly string[];
  readonly invert: boolean;
}

/** All terms must hold. */
export interface LabelQuery {
  readonly terms: readonly LabelTerm[];
}

/** A filter on ids and labels. Several label queries are alternatives: one of them must hold. */
export interface Query {
  readonly labels?: readonly LabelQuery[];
  readonly id?: RegExp;
}
