import { isAlias, isMap, isNode, isScalar, isSeq, type Document } from "yaml";

/** Reads nodes of one YAML document into known shapes. `path` names the value in errors. Aliases are followed. */
export interface YamlReader {
  /** Values by key; `undefined` where the mapping is absent or null. */
  mapping(node: unknown, path: string): ReadonlyMap<string, unknown> | undefined;
  /** Text as it was written: `123` and `1e3` are names like any other. Absent or null is empty. */
  text(node: unknown, path: string): string;
  /** A list of texts; absent or null is empty. */
  list(node: unknown, path: string): string[];
  /** The plain values of all fields but the known ones. */
  rest(fields: ReadonlyMap<string, unknown>, known: readonly string[]): ReadonlyMap<string, unknown>;
}

export function createYamlReader(document: Document, fail: (message: string) => Error): YamlReader {
  const follow = (node: unknown): unknown => {
    if (!isAlias(node)) return node;
    const target = node.resolve(document);
    if (target === undefined) throw fail(`alias "*${node.source}" has no anchor`);
    return target;
  };

  const text = (node: unknown, path: string): string => {
    const value = follow(node);
    if (isAbsent(value)) return "";
    if (!isScalar(value)) throw fail(`expected ${path} to be text`);
    return typeof value.value === "string" ? value.value : (value.source ?? String(value.value));
  };

  return {
    text,
    mapping(node, path) {
      const value = follow(node);
      if (isAbsent(value)) return undefined;
      if (!isMap(value)) throw fail(`expected ${path} to be a mapping`);
      return new Map(value.items.map((pair) => [text(pair.key, `a key of ${path}`), pair.value]));
    },
    list(node, path) {
      const value = follow(node);
      if (isAbsent(value)) return [];
      if (!isSeq(value)) throw fail(`expected ${path} to be a list`);
      return value.items.map((item) => text(item, path));
    },
    rest(fields, known) {
      const others = [...fields].filter(([key]) => !known.includes(key));
      return new Map(others.map(([key, node]) => [key, isNode(node) ? plain(node, document, fail) : node]));
    },
  };
}

const isAbsent = (node: unknown): boolean =>
  node === undefined || node === null || (isScalar(node) && (node.value === null || node.value === ""));

function plain(
  node: { toJS(document: Document, options: { readonly mapAsMap: true }): unknown },
  document: Document,
  fail: (message: string) => Error,
): unknown {
  try {
    return node.toJS(document, { mapAsMap: true });
  } catch (err) {
    throw fail(err instanceof Error ? err.message : String(err));
  }
}
