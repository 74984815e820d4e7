import { readOptional, writeDurably } from "@talos-ts/host";
import { mergeKubeconfig, pruneKubeconfig } from "@talos-ts/kubernetes";
import { endpointAddress, type ClusterPlan } from "@talos-ts/provision";
import type { Io } from "../../command.ts";
import { defaultKubeconfigPath } from "../../kubeconfig-path.ts";
import { writeNewFile } from "../../write-file.ts";

/** Merges the kubeconfig of a new cluster into the default one, in place of one of the same name. @returns the file */
export async function addToKubeconfig(kubeconfig: string, io: Io): Promise<string> {
  const path = defaultKubeconfigPath(io);
  const present = (await readOptional(path))?.toString() ?? "";
  const text = await mergeKubeconfig(present, kubeconfig, { onConflict: async () => "overwrite" });
  await writeNewFile(path, text, { force: true });
  return path;
}

/** Removes what leads to a cluster that is gone. */
export async function removeFromKubeconfig(plan: ClusterPlan, io: Io): Promise<void> {
  const path = defaultKubeconfigPath(io);
  const present = (await readOptional(path))?.toString() ?? "";
  const addresses = new Set([...plan.nodes.map(({ address }) => address), endpointAddress(plan)]);
  const text = pruneKubeconfig(present, (server) => URL.canParse(server) && addresses.has(new URL(server).hostname));
  if (text !== undefined) await writeDurably(path, text, 0o600);
}
