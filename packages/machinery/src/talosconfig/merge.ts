import { compareKeys } from "../yaml/key-order.ts";
import type { TalosConfig, TalosContext } from "./model.ts";

/** A context that got another name, since its own was taken. */
export interface ContextRename {
  readonly from: string;
  readonly to: string;
}

/**
 * Adds the contexts of another config. A name that is taken gets the first free suffix of `-1`, `-2`, …; the default
 * context becomes that of the other config if it has one, unless that has no endpoints and the present one has: no command
 * could connect with it.
 */
export function mergeTalosconfig(
  config: TalosConfig,
  other: TalosConfig,
): { readonly config: TalosConfig; readonly renames: readonly ContextRename[] } {
  const contexts = new Map<string, TalosContext>(config.contexts);
  const merged = new Map<string, string>();
  for (const name of [...other.contexts.keys()].toSorted(compareKeys)) {
    const context = other.contexts.get(name);
    const free = freeName(name, contexts);
    merged.set(name, free);
    if (context !== undefined) contexts.set(free, context);
  }
  const renames = [...merged].filter(([from, to]) => from !== to).map(([from, to]) => ({ from, to }));
  const usable = (each: TalosContext | undefined): boolean => (each?.endpoints ?? []).length > 0;
  const keep = !usable(other.contexts.get(other.context)) && usable(config.contexts.get(config.context));
  const context = keep ? config.context : (merged.get(other.context) ?? config.context);
  return { config: { context, contexts, extra: new Map([...other.extra, ...config.extra]) }, renames };
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let candidate = name;
  for (let suffix = 1; taken.has(candidate); suffix += 1) candidate = `${name}-${suffix}`;
  return candidate;
}

/** `"a" -> "a-1"`, as the client reports it. */
export const formatRename = ({ from, to }: ContextRename): string => `${JSON.stringify(from)} -> ${JSON.stringify(to)}`;
