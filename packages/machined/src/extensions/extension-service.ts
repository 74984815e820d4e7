import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@talos-ts/base";
import { asType, findTyped, pointerTo, type State } from "@talos-ts/cosi";
import { exists } from "@talos-ts/host";
import type { Linux } from "@talos-ts/linux";
import { paths } from "@talos-ts/machinery/constants";
import { NetworkStatus, type NetworkStatusSpec } from "@talos-ts/machinery/resources/network";
import { ExtensionServiceConfig, ExtensionServiceConfigStatus } from "@talos-ts/machinery/resources/runtime";
import { allOf, condition, type Condition } from "../conditions/condition.ts";
import { timeSynced } from "../conditions/machine-conditions.ts";
import { resourceCondition } from "../conditions/resource-condition.ts";
import { grantableCapabilities } from "../containerd/capabilities.ts";
import { createContainerdClient } from "../containerd/client.ts";
import type { OciSpec } from "../containerd/oci-spec.ts";
import type { ConfigStore } from "../config-store.ts";
import type { LogStore } from "../logs/log-store.ts";
import { containerdRunner } from "../runners/containerd.ts";
import { restartRunner } from "../runners/restart.ts";
import type { Service } from "../service.ts";
import { configuredEnvironment } from "../services/environment.ts";
import type { RegisterProcess } from "../services/process-registrar.ts";
import { extensionContainerSpec, parseEnvironmentFile } from "./container-spec.ts";
import { overlayFolder, serviceId, serviceRootFolder } from "./paths.ts";
import type { ExtensionDependency, ExtensionServiceSpec, NetworkDependency } from "./service-spec.ts";

/** Describes what an extension service needs of the machine. */
export interface ExtensionMachine {
  readonly linux: Linux;
  readonly clock: Clock;
  readonly state: State;
  readonly config: Pick<ConfigStore, "current">;
  readonly logs: LogStore;
  readonly registerProcess: RegisterProcess;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

const oomScoreAdjustment = -600;
const fileWaitMs = 1000;

/**
 * A service of a system extension, as a container of the system containerd. The root file system of the extension is read-only; an
 * overlay in memory gives containerd a place for its mount points.
 */
export function extensionService(machine: ExtensionMachine, spec: ExtensionServiceSpec): Service {
  const id = serviceId(spec.name);
  const { root, clock } = machine;
  const overlay = `${root}${overlayFolder}/${spec.name}`;
  const merged = join(overlay, "merged");
  const container = () =>
    containerdRunner({
      id,
      connect: () => createContainerdClient(`${root}${paths.systemContainerdSocket}`, "system"),
      content: {
        provide: async () => ({
          spec: await ociSpec(machine, spec, merged),
          [Symbol.asyncDispose]: async () => undefined,
        }),
        clean: async () => undefined,
      },
      log: machine.logs.open(id),
      ioDirectory: `${root}/system/run/io`,
      makeFifo: (path, mode) => machine.linux.files.makeFifo(path, mode),
      adopt: machine.registerProcess({ id, oomScoreAdjustment }),
      clock,
    });
  return {
    id,
    dependsOn: ["containerd", ...spec.depends.flatMap((entry) => (entry.kind === "service" ? [entry.id] : []))],
    condition: conditionOf(machine, spec),
    async prepare() {
      await unmount();
      for (const name of ["upper", "work", "merged"]) await mkdir(join(overlay, name), { recursive: true });
      const lower = `${root}${serviceRootFolder}/${spec.name}`;
      const layers = [`lowerdir=${lower}`, `upperdir=${join(overlay, "upper")}`, `workdir=${join(overlay, "work")}`];
      await machine.linux.mounts.mount({ source: "overlay", target: merged, type: "overlay", options: layers });
    },
    runner: () => restartRunner(container, { policy: spec.restart, clock }),
    finished: unmount,
    api: ["start", "stop", "restart"],
  };

  async function unmount(): Promise<void> {
    await machine.linux.mounts.unmount(merged, { detach: true }).catch(() => undefined);
    await rm(overlay, { recursive: true, force: true });
  }
}

async function ociSpec(
  { state, root, config }: ExtensionMachine,
  spec: ExtensionServiceSpec,
  rootfs: string,
): Promise<OciSpec> {
  for (const { type, source } of spec.container.mounts) {
    if (type === "bind" && !(await exists(`${root}${source}`))) {
      await mkdir(`${root}${source}`, { recursive: true, mode: 0o700 });
    }
  }
  const { environmentFile } = spec.container;
  const text = environmentFile === undefined ? "" : await readFile(`${root}${environmentFile}`, "utf8");
  const machineEnvironment = Object.entries(await configuredEnvironment(config)).map(
    ([name, value]) => `${name}=${value}`,
  );
  const settings = await findTyped(state, ExtensionServiceConfig, spec.name);
  return extensionContainerSpec({
    spec,
    rootfs,
    settings: settings?.metadata.phase === "running" ? settings.spec : undefined,
    fileEnvironment: [...machineEnvironment, ...parseEnvironmentFile(text)],
    grantable: await grantableCapabilities(),
  });
}

function conditionOf(machine: ExtensionMachine, spec: ExtensionServiceSpec): Condition {
  const { environmentFile } = spec.container;
  const files = environmentFile === undefined ? [] : [fileExists(machine, environmentFile)];
  return allOf(...files, ...spec.depends.flatMap((entry) => dependencyCondition(machine, spec.name, entry)));
}

function dependencyCondition(machine: ExtensionMachine, name: string, entry: ExtensionDependency): Condition[] {
  if (entry.kind === "path") return [fileExists(machine, entry.path)];
  if (entry.kind === "network") return [networkHas(machine.state, entry.statuses)];
  if (entry.kind === "time") return [timeSynced(machine.state)];
  if (entry.kind === "service") return [];
  const settings = pointerTo(ExtensionServiceConfigStatus, name);
  return [resourceCondition(machine.state, "extension service config", settings)];
}

const networkFields: Readonly<Record<NetworkDependency, keyof NetworkStatusSpec>> = {
  addresses: "addressReady",
  connectivity: "connectivityReady",
  hostname: "hostnameReady",
  etcfiles: "etcFilesReady",
};

function networkHas(state: State, statuses: readonly NetworkDependency[]): Condition {
  return resourceCondition(state, "network", pointerTo(NetworkStatus, NetworkStatus.id), (resource) => {
    const { spec } = asType(NetworkStatus, resource);
    return statuses.every((status) => spec[networkFields[status]]);
  });
}

function fileExists({ root, clock }: ExtensionMachine, path: string): Condition {
  return condition(`file ${JSON.stringify(path)} to exist`, async (signal) => {
    while (!(await exists(`${root}${path}`))) await clock.sleep(fileWaitMs, signal);
  });
}
