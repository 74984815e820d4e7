/** Describes what a caller wants to do with which resources. */
export interface StateAccess {
  readonly verb: StateVerb;
  readonly namespace: string;
  readonly type: string;
  /** Missing when it is about a whole kind. */
  readonly id?: string;
}

/** An operation on a state, as access policies see it. */
export type StateVerb = "get" | "list" | "watch" | "create" | "update" | "teardown" | "destroy";

/** Verbs that change nothing. */
export const readVerbs: ReadonlySet<StateVerb> = new Set(["get", "list", "watch"]);
