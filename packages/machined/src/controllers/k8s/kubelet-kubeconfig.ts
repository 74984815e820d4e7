import { createHash } from "node:crypto";
import { watch, type FSWatcher } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { describeError } from "@talos-ts/base";
import { readOptional } from "@talos-ts/host";
import { exclusive, kindOf, type Controller } from "@talos-ts/cosi";
import { kubernetesPaths } from "@talos-ts/machinery/constants";
import { KubeletKubeconfig } from "@talos-ts/machinery/resources/k8s";

/** A watch may miss what happens to a mount below it; looking again now and then makes up for that. */
const pollMs = 15_000;

/** Follows the kubeconfig that the kubelet writes once it has a certificate. */
export function kubeletKubeconfigController({ root }: { readonly root: string }): Controller {
  const path = `${root}${kubernetesPaths.kubeletKubeconfig}`;
  return {
    name: "k8s.KubeletKubeconfigController",
    inputs: [],
    outputs: [exclusive(KubeletKubeconfig)],
    async run(context) {
      await mkdir(dirname(path), { recursive: true });
      const watcher: FSWatcher = watch(dirname(path), (_event, name) => {
        if (name === basename(path)) context.queueReconcile();
      });
      using _closing = { [Symbol.dispose]: () => watcher.close() };
      watcher.on("error", (err) => context.logger.warn("cannot watch the kubeconfig", { error: describeError(err) }));
      for await (const _ of context.events) {
        context.startTrackingOutputs();
        const contents = await readOptional(path);
        if (contents !== undefined) {
          const hash = createHash("sha256").update(contents).digest("hex");
          await context.modify(KubeletKubeconfig, KubeletKubeconfig.id, () => ({ hash }));
        }
        await context.cleanupOutputs(kindOf(KubeletKubeconfig));
        context.resetRestartBackoff();
        context.queueReconcile(pollMs);
      }
    },
  };
}
