import { join, resolve } from "node:path";
import type { ClusterConfigs, ClusterPlan, NodeType } from "@talos-ts/provision";
import { checkNoFiles, writeNewFile } from "../../write-file.ts";

/** Describes where the configurations of a cluster go that its nodes do not start with. */
export interface ConfigFiles {
  readonly paths: Readonly<Record<NodeType, string>>;
  write(configs: ClusterConfigs): Promise<void>;
}

/**
 * Chooses the files, one for each kind of node the plan has, in a folder.
 *
 * @throws `cli/file-exists` when one is there and must not be replaced, before anything is made.
 */
export async function planConfigFiles(plan: ClusterPlan, force: boolean, folder = resolve(".")): Promise<ConfigFiles> {
  const paths = { controlplane: join(folder, "controlplane.yaml"), worker: join(folder, "worker.yaml") };
  const types = [...new Set(plan.nodes.map(({ type }) => type))];
  if (!force) await checkNoFiles(types.map((type) => paths[type]));
  return {
    paths,
    async write(configs) {
      for (const type of types) await writeNewFile(paths[type], configs.nodeConfig({ type }), { force });
    },
  };
}
