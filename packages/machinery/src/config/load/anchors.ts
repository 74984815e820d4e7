import { isAlias, isNode, visit, type Alias, type Document, type Node } from "yaml";

/**
 * Returns what each alias of a document stands for, found in one pass; looking each of them up would cost a walk per alias.
 * An alias inside its own anchor has no entry.
 */
export function resolveAliases(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const resolved = new Map<Alias, Node>();
  visit(document, {
    Node: (_key, node, path) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined && !path.includes(target)) resolved.set(node, target);
      } else if (isNode(node) && node.anchor !== undefined) {
        anchors.set(node.anchor, node);
      }
    },
  });
  return resolved;
}
