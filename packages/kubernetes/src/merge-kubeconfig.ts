import { isDeepStrictEqual } from "node:util";
import { isRecord, OsError } from "@talos-ts/base";
import { parseDocument, stringify } from "yaml";

/** Describes what two kubeconfigs can disagree about. */
export type KubeconfigComponent = "cluster" | "user" | "context";

export type ConflictDecision = "overwrite" | "rename";

export interface MergeOptions {
  /** Decides about an entry that is there with other contents. */
  readonly onConflict: (component: KubeconfigComponent, name: string) => Promise<ConflictDecision>;
  /** Name of the merged context. Default: the one it has. */
  readonly contextName?: string;
  /** An entry was renamed. */
  readonly onRename?: (component: KubeconfigComponent, from: string, to: string) => void;
}

interface Entry {
  readonly name: string;
  readonly [field: string]: unknown;
}

const sections = { cluster: "clusters", user: "users", context: "contexts" } as const;

/**
 * Adds the entries of one kubeconfig to another and makes its context the current one. Entries that are the same are left alone;
 * everything else of the target, unknown fields and comments included, stays as it is.
 *
 * @param target Text of the kubeconfig to change; empty for a new one.
 */
export async function mergeKubeconfig(target: string, addition: string, options: MergeOptions): Promise<string> {
  const document = parseDocument(target.trim() === "" ? "apiVersion: v1\nkind: Config\n" : target);
  const [problem] = document.errors;
  if (problem !== undefined || !isRecord(document.toJS()))
    throw notMergeable(problem?.message ?? "it is not a mapping");
  const added: unknown = parseDocument(addition).toJS();
  if (!isRecord(added)) throw notMergeable("the new one is not a mapping");

  const names = { cluster: new Map<string, string>(), user: new Map<string, string>() };

  async function place(component: KubeconfigComponent, entry: Entry): Promise<string> {
    const section = sections[component];
    const root: unknown = document.toJS();
    const present = entriesOf(isRecord(root) ? root[section] : undefined);
    const index = present.findIndex(({ name }) => name === entry.name);
    if (index !== -1 && isDeepStrictEqual(present[index], entry)) return entry.name;
    const decision = index === -1 ? "overwrite" : await options.onConflict(component, entry.name);
    const name = decision === "overwrite" ? entry.name : freeName(entry.name, present);
    if (name !== entry.name) options.onRename?.(component, entry.name, name);
    if (present.length === 0) document.set(section, document.createNode([]));
    const at = index !== -1 && decision === "overwrite" ? index : present.length;
    document.setIn([section, at], document.createNode({ ...entry, name }));
    return name;
  }

  for (const component of ["cluster", "user"] as const) {
    for (const entry of entriesOf(added[sections[component]])) {
      names[component].set(entry.name, await place(component, entry));
    }
  }
  for (const entry of entriesOf(added["contexts"])) {
    const context = isRecord(entry["context"]) ? entry["context"] : {};
    const renamed = {
      ...entry,
      name: options.contextName ?? entry.name,
      context: {
        ...context,
        cluster: names.cluster.get(String(context["cluster"])) ?? context["cluster"],
        user: names.user.get(String(context["user"])) ?? context["user"],
      },
    };
    const name = await place("context", renamed);
    if (entry.name === added["current-context"]) document.set("current-context", name);
  }
  return target.trim() === "" ? stringify(document.toJS(), { lineWidth: 0 }) : document.toString({ lineWidth: 0 });
}

function entriesOf(section: unknown): readonly Entry[] {
  if (!Array.isArray(section)) return [];
  return section.filter((entry): entry is Entry => isRecord(entry) && typeof entry["name"] === "string");
}

function freeName(name: string, present: readonly Entry[]): string {
  const taken = new Set(present.map((entry) => entry.name));
  for (let number = 1; ; number += 1) {
    const candidate = `${name}-${String(number)}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function notMergeable(problem: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "kubernetes/bad-kubeconfig",
    message: `Cannot merge the kubeconfig: ${problem}`,
    next: "talosctl kubeconfig --merge=false ./kubeconfig",
  });
}
