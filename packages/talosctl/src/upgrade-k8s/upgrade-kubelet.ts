import { OsError } from "@talos-ts/base";
import { kinds, type NodeObject } from "@talos-ts/kubernetes";
import { openResources } from "@talos-ts/machinery/client/resources";
import { changeMain } from "@talos-ts/machinery/config";
import { KubeletSpec, Nodename } from "@talos-ts/machinery/resources/k8s";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { changeConfig } from "../session/change-config.ts";
import { watchRestart } from "../session/watch-restart.ts";
import { imageOf, type Upgrade } from "./upgrade.ts";
import { versionOfImage } from "./upgrade-path.ts";
import { waitUntil } from "./wait-until.ts";

const kubelet = "kubelet";
const timeoutMs = 5 * 60_000;
const types = [KubeletSpec, Nodename, Service] as const;

/** Upgrades the kubelet of one node, and waits until its node is ready with the new version. */
export async function upgradeKubelet(upgrade: Upgrade, node: string): Promise<void> {
  const { connection, log, path, signal } = upgrade;
  const resources = openResources(connection, node, types);
  log(` > ${quoted(node)}: starting update`);
  const service = await resources.find(Service, kubelet);
  const { image: present } = (await resources.get(KubeletSpec, KubeletSpec.id)).spec;
  const image = kubeletImage(upgrade, present);
  if (present !== image) {
    log(` > update ${kubelet}: ${versionOfImage(present) ?? path.from} -> ${versionOfImage(image) ?? path.to}`);
    if (upgrade.dryRun) {
      log(" > skipped in dry-run");
      return;
    }
    if (service?.spec.healthy !== true) throw unhealthy(node);
    // Begun before the change, so that the end of the old kubelet is not missed.
    const restarted = await watchRestart({ ...upgrade, node, service: kubelet, timeoutMs });
    await changeConfig({
      ...upgrade,
      node,
      change: (config) =>
        changeMain(config, (main) => ({
          ...main,
          machine: { ...main.machine, kubelet: { ...main.machine?.kubelet, image } },
        })),
    });
    log(` > ${quoted(node)}: machine configuration patched`);
    log(` > ${quoted(node)}: waiting for kubelet restart`);
    await restarted.done();
  } else if (upgrade.dryRun) {
    log(` < ${quoted(node)}: ${kubelet} has version ${path.to} already`);
    return;
  }
  log(` > ${quoted(node)}: waiting for node update`);
  await waitForNode(upgrade, node, versionOfImage(image)?.replace(suffix, "") ?? path.to);
  signal.throwIfAborted();
  log(` < ${quoted(node)}: successfully updated`);
}

/** Images of the kubelet come in variants, by the end of their tag. */
const suffix = /-(?:fat|slim)$/;

/** The reference of the new kubelet, in the variant that the node has. */
export function kubeletImage(upgrade: Pick<Upgrade, "repositories" | "path">, present: string): string {
  return imageOf(upgrade, "kubelet") + (suffix.exec(present)?.[0] ?? "");
}

async function waitForNode({ connection, kubernetes, clock, signal, log }: Upgrade, node: string, version: string) {
  const resources = openResources(connection, node, types);
  const missing = async (limit: AbortSignal): Promise<string | undefined> => {
    const { nodename, skipNodeRegistration } = (await resources.get(Nodename, Nodename.id)).spec;
    if ((await resources.find(Service, kubelet))?.spec.healthy !== true) return "kubelet is not healthy";
    if (skipNodeRegistration) return undefined;
    const { status } = await kubernetes.get<NodeObject>({ ...kinds.node, name: nodename }, { signal: limit });
    const got = status?.nodeInfo?.kubeletVersion ?? "";
    if (got !== `v${version}`) return `node version mismatch: got ${quoted(got)}, expected ${quoted(`v${version}`)}`;
    const ready = status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") === true;
    return ready ? undefined : "node is not ready";
  };
  await waitUntil(missing, {
    clock,
    signal,
    timeoutMs,
    what: `the kubelet of ${node}`,
    tell: (reason) => log(` > ${quoted(node)}: ${reason}`),
    next: `talosctl --nodes ${node} service kubelet`,
  });
}

function unhealthy(node: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "upgrade/kubelet-not-healthy",
    message: `error updating node ${quoted(node)}: kubelet is not healthy`,
    next: `talosctl --nodes ${node} service kubelet`,
  });
}

const quoted = (text: string): string => JSON.stringify(text);
