import { isRecord } from "@talos-ts/base";
import { isMap, isSeq, parseDocument, type Document } from "yaml";

/**
 * Removes the clusters whose server `isGone`, their contexts, and the users that only those contexts have. A current context that
 * is removed is unset. Everything else stays as it is.
 *
 * @returns the changed text, or `undefined` when there was nothing to remove
 */
export function pruneKubeconfig(text: string, isGone: (server: string) => boolean): string | undefined {
  const document = parseDocument(text);
  const root: unknown = document.toJS();
  if (document.errors.length > 0 || !isRecord(root)) return undefined;
  const clusters = namesWhere(
    root["clusters"],
    "cluster",
    ({ server }) => typeof server === "string" && isGone(server),
  );
  if (clusters.size === 0) return undefined;
  const ofGone = ({ cluster }: Readonly<Record<string, unknown>>): boolean => clusters.has(String(cluster));
  const contexts = namesWhere(root["contexts"], "context", ofGone);
  const used = usersOf(root["contexts"], (fields) => !ofGone(fields));
  const users = usersOf(root["contexts"], ofGone).difference(used);
  drop(document, "clusters", clusters);
  drop(document, "contexts", contexts);
  drop(document, "users", users);
  if (contexts.has(String(root["current-context"]))) document.set("current-context", "");
  return document.toString({ lineWidth: 0 });
}

type Fields = Readonly<Record<string, unknown>>;

function entriesOf(section: unknown, field: string): readonly { readonly name: string; readonly fields: Fields }[] {
  if (!Array.isArray(section)) return [];
  return section.flatMap((entry: unknown) => {
    const fields = isRecord(entry) ? entry[field] : undefined;
    return isRecord(entry) && isRecord(fields) ? [{ name: String(entry["name"]), fields }] : [];
  });
}

function namesWhere(section: unknown, field: string, holds: (fields: Fields) => boolean): ReadonlySet<string> {
  return new Set(entriesOf(section, field).flatMap(({ name, fields }) => (holds(fields) ? [name] : [])));
}

function usersOf(contexts: unknown, holds: (fields: Fields) => boolean): ReadonlySet<string> {
  return new Set(
    entriesOf(contexts, "context").flatMap(({ fields }) => (holds(fields) ? [String(fields["user"])] : [])),
  );
}

function drop(document: Document, section: string, names: ReadonlySet<string>): void {
  const list = document.get(section);
  if (!isSeq(list)) return;
  list.items = list.items.filter((item) => !isMap(item) || !names.has(String(item.get("name"))));
}
