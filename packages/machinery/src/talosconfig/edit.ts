import { OsError } from "@talos-ts/base";
import type { TalosConfig, TalosContext } from "./model.ts";

/**
 * The name that commands change when they are not told one.
 *
 * @throws `talosconfig/no-context` when none is chosen, `talosconfig/no-such-context` when it does not exist.
 */
export function currentContextName(config: TalosConfig, name: string = config.context): string {
  if (name === "") {
    const next = config.contexts.size === 0 ? "talosctl config merge ./talosconfig" : "talosctl config context <name>";
    throw missing("no-context", "no context is set", next);
  }
  if (!config.contexts.has(name)) {
    throw missing("no-such-context", `context "${name}" is not defined`, "talosctl config contexts");
  }
  return name;
}

function changeContext(config: TalosConfig, name: string | undefined, change: Partial<TalosContext>): TalosConfig {
  const existing = currentContextName(config, name);
  const contexts = [...config.contexts].map(
    ([key, context]) => [key, key === existing ? { ...context, ...change } : context] as const,
  );
  return { ...config, contexts: new Map(contexts) };
}

const trimmed = (values: readonly string[]): string[] => values.map((value) => value.trim());

/** Sets the endpoints of a context, by default the current one. */
export const setEndpoints = (config: TalosConfig, endpoints: readonly string[], name?: string): TalosConfig =>
  changeContext(config, name, { endpoints: trimmed(endpoints) });

/** Sets the nodes of a context, by default the current one. */
export const setNodes = (config: TalosConfig, nodes: readonly string[], name?: string): TalosConfig =>
  changeContext(config, name, { nodes: trimmed(nodes) });

/** Chooses the default context. */
export const useContext = (config: TalosConfig, name: string): TalosConfig => ({
  ...config,
  context: currentContextName(config, name),
});

/** Adds a context, or replaces the one of the same name; the default context stays what it is. */
export const addContext = (config: TalosConfig, name: string, context: TalosContext): TalosConfig => ({
  ...config,
  contexts: new Map([...config.contexts, [name, context]]),
});

/**
 * The names of contexts that match `pattern`, in which `*` stands for any text, sorted.
 *
 * @throws `talosconfig/no-context` without a pattern or contexts, `talosconfig/no-such-context` without a match.
 */
export function matchContexts(config: TalosConfig, pattern: string): string[] {
  if (pattern === "") throw missing("no-context", "no context specified", "talosctl config contexts");
  if (config.contexts.size === 0) throw missing("no-context", "no contexts defined", "talosctl config add <name>");
  const expression = new RegExp(
    `^${pattern
      .split("*")
      .map((part) => RegExp.escape(part))
      .join(".*")}$`,
    "s",
  );
  const names = [...config.contexts.keys()].filter((name) => expression.test(name)).toSorted();
  if (names.length === 0) {
    throw missing("no-such-context", `no contexts matched "${pattern}"`, "talosctl config contexts");
  }
  return names;
}

/** Removes contexts; the current one stays, since nothing would tell which one to use instead. */
export function removeContexts(config: TalosConfig, names: readonly string[]): TalosConfig {
  const kept = [...config.contexts].filter(([name]) => name === config.context || !names.includes(name));
  return { ...config, contexts: new Map(kept) };
}

const missing = (condition: string, message: string, next: string): OsError =>
  new OsError({ kind: "not-found", code: `talosconfig/${condition}`, message, next });
