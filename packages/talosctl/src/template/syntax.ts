/** Syntax of templates: the part of Go's `text/template` that tables need. */

/** Something that has a value. */
export type Operand =
  | { readonly kind: "constant"; readonly value: string | number | boolean | undefined }
  /** The data in hand, or a variable; then names of fields and methods. */
  | { readonly kind: "chain"; readonly from: Source; readonly names: readonly string[] };

export type Source =
  | { readonly kind: "dot" }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "pipeline"; readonly pipeline: Pipeline };

/** A function or an operand, with arguments. */
export type Command =
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Operand[] }
  | { readonly kind: "operand"; readonly operand: Operand; readonly args: readonly Operand[] };

/** Commands, each of which gets the value of the one before as its last argument. */
export interface Pipeline {
  readonly commands: readonly Command[];
}

export type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print"; readonly pipeline: Pipeline }
  | { readonly kind: "assign"; readonly name: string; readonly pipeline: Pipeline }
  | { readonly kind: "if"; readonly pipeline: Pipeline; readonly body: Nodes; readonly otherwise: Nodes }
  | { readonly kind: "with"; readonly pipeline: Pipeline; readonly body: Nodes; readonly otherwise: Nodes }
  | {
      readonly kind: "range";
      /** Names for index and element; for the element alone when there is one. */
      readonly names: readonly string[];
      readonly pipeline: Pipeline;
      readonly body: Nodes;
      readonly otherwise: Nodes;
    };

export type Nodes = readonly Node[];
