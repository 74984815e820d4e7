import { changeMain } from "@talos-ts/machinery/config";
import { changeConfig } from "../session/change-config.ts";
import { withCluster } from "./components.ts";
import { imageOf, type Upgrade } from "./upgrade.ts";

/** Puts the new image of kube-proxy into the configuration of a control plane node; its pods follow with the manifests. */
export async function upgradeProxy(upgrade: Upgrade, node: string): Promise<void> {
  const { log, dryRun } = upgrade;
  const image = imageOf(upgrade, "proxy");
  log(` > ${JSON.stringify(node)}: starting update`);
  if (dryRun) {
    log(" > skipped in dry-run");
    return;
  }
  const changed = await changeConfig({
    ...upgrade,
    node,
    change: (config) =>
      config.cluster?.proxy?.disabled === true
        ? config
        : changeMain(config, (main) => withCluster(main, { proxy: { ...main.cluster?.proxy, image } })),
  });
  log(` < ${JSON.stringify(node)}: ${changed ? "machine configuration patched" : "nothing to change"}`);
}
