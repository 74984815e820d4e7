import { execFile } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { buildRootfs, systemDaemons } from "@talos-ts/imager";
import {
  createCluster,
  destroyCluster,
  generateClusterConfigs,
  layout,
  planCluster,
  saveContext,
  type ClusterPlan,
  type ClusterRequest,
  type NodePlan,
} from "@talos-ts/provision";
import { createHome, type CliResult, type Home } from "./cluster-support.ts";

/** Nodes that start with whatever a test wants them to start with. */
export interface Nodes extends AsyncDisposable {
  readonly home: Home;
  readonly plan: ClusterPlan;
  readonly clustersDirectory: string;
  /** A configuration the node would run with. */
  goodConfig(node: NodePlan): string;
  node(name: string): NodePlan;
  console(node: NodePlan): Promise<string>;
  volume(node: NodePlan, name: string): string;
  /** Process id on this host of the first process of the node. */
  init(node: NodePlan): Promise<number>;
  runc(...args: readonly string[]): Promise<CliResult>;
}

export interface NodesOptions extends ClusterRequest {
  /** Returns the configuration a node starts with; without it the node waits to be told. */
  readonly startConfig: (node: NodePlan, good: string) => string | undefined;
}

export async function createNodes({ startConfig, ...request }: NodesOptions): Promise<Nodes> {
  const home = await createHome();
  const clustersDirectory = join(home.path, ".talos/clusters");
  const plan = planCluster(request, clustersDirectory);
  const configs = await generateClusterConfigs(plan);
  const goodConfig = (node: NodePlan): string => configs.nodeConfig(node);
  const runc = (...args: readonly string[]): Promise<CliResult> =>
    run("runc", "--root", plan.runtimeDirectory, ...args);
  try {
    await createCluster({
      ...request,
      clustersDirectory,
      image: () => buildRootfs({ daemons: systemDaemons() }),
      nodeConfig: async (node) => startConfig(node, goodConfig(node)),
    });
    await saveContext(configs.talosconfig, { environment: { env: {}, home: home.path } });
  } catch (err) {
    await home[Symbol.asyncDispose]();
    throw err;
  }
  return {
    home,
    plan,
    clustersDirectory,
    goodConfig,
    node(name) {
      const found = plan.nodes.find((each) => each.name === `${plan.name}-${name}`);
      if (found === undefined) throw new Error(`no node ${name}`);
      return found;
    },
    console: (node) => readFile(layout.log(plan, node), "utf8"),
    volume: (node, name) => layout.volume(plan, node, name),
    async init(node) {
      const { stdout } = await runc("state", node.name);
      return (JSON.parse(stdout) as { readonly pid: number }).pid;
    },
    runc,
    async [Symbol.asyncDispose]() {
      await destroyCluster({ name: plan.name, clustersDirectory });
      await home[Symbol.asyncDispose]();
    },
  };
}

function run(program: string, ...args: readonly string[]): Promise<CliResult> {
  return new Promise((settle) => {
    execFile(program, args, (err, stdout, stderr) => {
      settle({ code: err === null ? 0 : Number(err.code ?? 1), stdout, stderr });
    });
  });
}

/** Returns what the last match of the pattern captured. */
export function wordIn(text: string, pattern: RegExp): string {
  const word = [...text.matchAll(pattern)].at(-1)?.[1];
  if (word === undefined) throw new Error(`no ${String(pattern)} in\n${text}`);
  return word;
}

export interface NodeProcess {
  readonly pid: number;
  readonly state: string;
  readonly words: string;
}

/** Every process in the control groups of a node, as this host sees it; `state` is Z for one that nobody buried. */
export async function processesOf(plan: ClusterPlan, node: NodePlan): Promise<readonly NodeProcess[]> {
  const found: NodeProcess[] = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const read = (name: string): Promise<string> => readFile(`/proc/${entry}/${name}`, "utf8").catch(() => "");
    if (!(await read("cgroup")).includes(`${plan.cgroup}/${node.name}`)) continue;
    const state = /^State:\s+(\S)/m.exec(await read("status"))?.[1] ?? "";
    found.push({ pid: Number(entry), state, words: (await read("cmdline")).replaceAll("\0", " ").trim() });
  }
  return found;
}

/** Takes the checksum off a configuration that a node keeps; what is left must be what it was given. */
export function unsealed(stored: string): string {
  return stored.replace(/^# checksum: sha256:[0-9a-f]{64}\n$/m, "");
}
