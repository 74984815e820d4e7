import { OsError } from "@talos-ts/base";
import type { TalosConfig, TalosContext } from "./model.ts";

/**
 * The context a call uses: the one named, or the default one.
 *
 * @param override The value of `--context`; empty text counts as a name.
 * @throws `talosconfig/empty`, `talosconfig/no-default-context` or `talosconfig/no-such-context`.
 */
export function resolveContext(config: TalosConfig, override?: string): TalosContext {
  const name = override ?? config.context;
  const context = config.contexts.get(name);
  if (context !== undefined) return context;
  if (override !== undefined) {
    throw unresolved("no-such-context", `context "${name}" not found in config`, "talosctl config contexts");
  }
  if (name === "" && config.contexts.size === 0) {
    throw unresolved("empty", "talos config file is empty", "talosctl config merge ./talosconfig");
  }
  throw unresolved(
    "no-default-context",
    `default context "${name}" not found in config`,
    "talosctl config context <name>",
  );
}

/**
 * Returns the endpoints to connect to: the value of `--endpoints`, or what the context says.
 *
 * @throws `talosconfig/no-endpoints`.
 */
export function resolveEndpoints(
  context: Pick<TalosContext, "endpoints"> | undefined,
  override: readonly string[] = [],
): readonly string[] {
  const endpoints = override.length > 0 ? override : (context?.endpoints ?? []);
  if (endpoints.length > 0) return endpoints;
  const next = "talosctl config endpoint <control plane address>";
  throw unresolved("no-endpoints", "failed to determine endpoints", next);
}

const unresolved = (condition: string, message: string, next: string): OsError =>
  new OsError({ kind: "failed-precondition", code: `talosconfig/${condition}`, message, next });
