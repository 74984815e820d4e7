import { OsError } from "@talos-ts/base";
import type { KubernetesObject } from "@talos-ts/kubernetes";
import { openResources } from "@talos-ts/machinery/client/resources";
import { BootstrapManifestsConfig, ExtraManifestsConfig, Manifest } from "@talos-ts/machinery/resources/k8s";
import { imageOf, type Upgrade } from "./upgrade.ts";
import { waitUntil } from "./wait-until.ts";

const types = [BootstrapManifestsConfig, ExtraManifestsConfig, Manifest] as const;
const timeoutMs = 60_000;

/** Reads the manifests of the first control plane node, once they follow from its new configuration. */
export async function bootstrapManifests(upgrade: Upgrade): Promise<readonly KubernetesObject[]> {
  const { connection, nodes, clock, signal, log, dryRun } = upgrade;
  const [node = ""] = nodes.controlPlanes;
  const resources = openResources(connection, node, types);
  const image = imageOf(upgrade, "proxy");
  if (!dryRun) {
    const missing = async (): Promise<string | undefined> => {
      const { spec } = await resources.get(BootstrapManifestsConfig, BootstrapManifestsConfig.id);
      if (!spec.proxyEnabled) return undefined;
      if (spec.proxyImage !== image) return `manifests have kube-proxy ${spec.proxyImage}`;
      const manifests = JSON.stringify((await resources.list(Manifest)).map((manifest) => manifest.spec));
      return manifests.includes(JSON.stringify(image)) ? undefined : "manifests are not rendered yet";
    };
    const tell = (reason: string): void => log(` > ${JSON.stringify(node)}: ${reason}`);
    const next = `talosctl --nodes ${node} get manifests --namespace controlplane`;
    await waitUntil(missing, { clock, signal, timeoutMs, what: `the manifests of ${node}`, tell, next });
  }
  const manifests = await resources.list(Manifest);
  // What a manifest that is not loaded would have is taken for removed.
  const extra = (await resources.find(ExtraManifestsConfig, ExtraManifestsConfig.id))?.spec.extraManifests ?? [];
  const loaded = new Set(manifests.map(({ metadata }) => metadata.id));
  const absent = extra.filter(({ priority, name }) => !loaded.has(`${priority}-${name}`));
  if (absent.length > 0)
    throw notLoaded(
      node,
      absent.map(({ name }) => name),
    );
  return manifests.flatMap(({ spec }) => spec as readonly KubernetesObject[]);
}

function notLoaded(node: string, names: readonly string[]): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "upgrade/manifests-not-loaded",
    message: `node ${JSON.stringify(node)} has not loaded the manifests ${names.map((name) => JSON.stringify(name)).join(", ")}`,
    next: `talosctl --nodes ${node} logs controller-runtime`,
  });
}
