import type { Property } from "../schema/type.ts";
import type { Tree, TreeEntry } from "../../yaml/emit.ts";

export interface CommentOptions {
  /** Whether comments say what each field means. */
  readonly docs: boolean;
  /** Unset fields as commented examples. */
  readonly examples: boolean;
  /** Lines of a tree, needed for examples only. */
  readonly render: (tree: Tree) => readonly string[];
}

/** The comment of a field: behind a scalar, above everything else. */
export function commentsOf(field: Property<unknown>, tree: Tree, options: CommentOptions): Partial<TreeEntry> {
  if (!options.docs || field.doc === "") return {};
  const isScalar = typeof tree !== "object" || tree === null || "raw" in tree;
  return isScalar ? { line: `# ${field.doc}` } : { head: [`# ${field.doc}`] };
}
