import {
  mergeTalosconfig,
  openTalosconfig,
  saveTalosconfig,
  type LookupEnvironment,
  type TalosConfig,
} from "@talos-ts/machinery/talosconfig";
import type { ClusterPlan } from "./cluster-plan.ts";

export interface ContextOptions {
  /** The file to change. @default the first one the client would use */
  readonly path?: string;
  readonly environment?: LookupEnvironment;
}

/**
 * Adds the context of a new cluster to the client's configuration and makes it the current one.
 *
 * @returns the name it got: the cluster's, or one with a number when that is taken.
 */
export async function saveContext(talosconfig: TalosConfig, options: ContextOptions = {}): Promise<string> {
  const file = await openTalosconfig(options.path, options.environment);
  const { config } = mergeTalosconfig(file.config, talosconfig);
  await saveTalosconfig({ ...file, config });
  return config.context;
}

/**
 * Removes the contexts of a cluster that is gone: those with its name that lead to its control planes, and no others.
 *
 * @returns the names that were removed.
 */
export async function removeContext(plan: ClusterPlan, options: ContextOptions = {}): Promise<string[]> {
  const file = await openTalosconfig(options.path, options.environment);
  const gone = contextsOf(plan, file.config);
  if (gone.length === 0) return [];
  const contexts = new Map([...file.config.contexts].filter(([name]) => !gone.includes(name)));
  const context = contexts.has(file.config.context) ? file.config.context : ([...contexts.keys()][0] ?? "");
  await saveTalosconfig({ ...file, config: { ...file.config, context, contexts } });
  return gone;
}

/** The name of the context that leads to a cluster, the current one before others; `undefined` when there is none. */
export async function findContext(plan: ClusterPlan, options: ContextOptions = {}): Promise<string | undefined> {
  const { config } = await openTalosconfig(options.path, options.environment);
  const found = contextsOf(plan, config);
  return found.includes(config.context) ? config.context : found[0];
}

/** Names of the contexts that have the name of a cluster and lead to its control planes. */
function contextsOf(plan: ClusterPlan, config: TalosConfig): string[] {
  const own = new RegExp(`^${plan.name}(?:-\\d+)?$`);
  const addresses = new Set(plan.nodes.map((node) => node.address));
  return [...config.contexts]
    .filter(([name, { endpoints }]) => own.test(name) && endpoints.every((endpoint) => addresses.has(endpoint)))
    .map(([name]) => name);
}
