/** Writes configurations: canonical, byte for byte the same for the same values. */

import type { Config, ConfigDocument } from "../config.ts";
import { emit, type Tree } from "../../yaml/emit.ts";
import { toTree } from "./to-tree.ts";

/** Settings of encoding. */
export interface EncodeOptions {
  /** Explains each field in a comment. @default false */
  readonly docs?: boolean;
  /** Shows unset fields as commented examples. @default false */
  readonly examples?: boolean;
}

/** Encodes one document as YAML. */
export function encodeDocument(document: ConfigDocument, options: EncodeOptions = {}): string {
  return emit(
    toTree(document.schema.type, document.value, {
      docs: options.docs ?? false,
      examples: options.examples ?? false,
      render: (tree: Tree) => emit(tree).trimEnd().split("\n"),
    }),
  );
}

/** All documents in canonical form, whatever their source looked like. */
export function encodeConfig(config: Config, options: EncodeOptions = {}): string {
  return config.documents.map((document) => encodeDocument(document, options)).join("---\n");
}

/** The source as it was given when nothing was changed, else the canonical form. */
export function configText(config: Config): string {
  return config.source ?? encodeConfig(config);
}
