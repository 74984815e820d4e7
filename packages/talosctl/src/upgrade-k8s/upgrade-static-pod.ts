import { kinds, type PodObject } from "@talos-ts/kubernetes";
import { openResources } from "@talos-ts/machinery/client/resources";
import { changeMain } from "@talos-ts/machinery/config";
import { Nodename } from "@talos-ts/machinery/resources/k8s";
import { changeConfig } from "../session/change-config.ts";
import type { Component } from "./components.ts";
import { imageOf, type Upgrade } from "./upgrade.ts";
import { versionOfImage } from "./upgrade-path.ts";
import { waitUntil } from "./wait-until.ts";

/** Annotation of a static pod with the version of the resource it was made from. */
const configVersion = "talos.dev/config-version";
const timeoutMs = 5 * 60_000;

/** Upgrades a component of the control plane on one node, and waits until its pod is ready with the new image. */
export async function upgradeStaticPod(upgrade: Upgrade, component: Component, node: string): Promise<void> {
  const { connection, log, path } = upgrade;
  const { id, read } = component;
  const image = imageOf(upgrade, component.image);
  log(` > ${quoted(node)}: starting update`);
  const { spec } = await read(connection, node);
  if (spec.enabled === false) {
    log(` < ${quoted(node)}: ${id} is disabled`);
    return;
  }
  if (spec.image !== image) {
    log(` > update ${id}: ${versionOfImage(spec.image) ?? path.from} -> ${path.to}`);
    if (upgrade.dryRun) {
      log(" > skipped in dry-run");
      return;
    }
    const change = (main: Parameters<typeof component.withImage>[0]) => component.withImage(main, image);
    await changeConfig({ ...upgrade, node, change: (config) => changeMain(config, change) });
    log(` > ${quoted(node)}: machine configuration patched`);
  } else if (upgrade.dryRun) {
    log(` < ${quoted(node)}: ${id} has version ${path.to} already`);
    return;
  }
  log(` > ${quoted(node)}: waiting for ${id} pod update`);
  await waitForPod(upgrade, component, node, image);
  log(` < ${quoted(node)}: successfully updated`);
}

async function waitForPod(upgrade: Upgrade, component: Component, node: string, image: string): Promise<void> {
  const { connection, kubernetes, clock, signal, log } = upgrade;
  const { id, read } = component;
  const names = openResources(connection, node, [Nodename]);
  const missing = async (limit: AbortSignal): Promise<string | undefined> => {
    const { spec, metadata } = await read(connection, node);
    if (spec.image !== image) return `configuration has image ${spec.image}`;
    const { nodename } = (await names.get(Nodename, Nodename.id)).spec;
    const pods = await kubernetes.list<PodObject>(kinds.pod, {
      namespace: "kube-system",
      labelSelector: `k8s-app=${id}`,
      signal: limit,
    });
    const pod = pods.items.find((candidate) => candidate.spec?.nodeName === nodename);
    if (pod === undefined) return "there is no pod";
    const [got, expected] = [pod.metadata.annotations?.[configVersion] ?? "", String(metadata.version)];
    if (got !== expected) return `waiting, config version mismatch: got ${quoted(got)}, expected ${quoted(expected)}`;
    const ready = pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
    return ready ? undefined : "pod is not ready, waiting";
  };
  await waitUntil(missing, {
    clock,
    signal,
    timeoutMs,
    what: `${id} on ${node}`,
    tell: (reason) => log(` > ${quoted(node)}: ${id}: ${reason}`),
    next: `talosctl --nodes ${node} get staticpodstatus`,
  });
}

const quoted = (text: string): string => JSON.stringify(text);
