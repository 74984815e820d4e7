import { systemClock, type Clock } from "@talos-ts/base";
import { createResource, transformController, type Controller, type Resource } from "@talos-ts/cosi";
import { createMemoryLinux, type MemoryLinux } from "@talos-ts/linux/memory";
import { configText, generateConfig, type Config, type GenerateOptions } from "@talos-ts/machinery/config";
import { VolumeMountRequest, VolumeMountStatus } from "@talos-ts/machinery/resources/block";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { generateBundle, secretsContract, type SecretsBundle } from "@talos-ts/machinery/secrets";
import type { Platform } from "../../platform.ts";

/** Helpers of the specs of controllers. */

export const noon = new Date("2026-06-01T12:00:00.000Z");

let bundle: Promise<SecretsBundle> | undefined;

/** Secrets of one cluster, the same for all specs of a process. */
export function testSecrets(): Promise<SecretsBundle> {
  bundle ??= generateBundle({ now: noon, contract: { ...secretsContract(), serviceAccountKey: "ecdsa" } });
  return bundle;
}

export async function testConfig(
  machineType: "controlplane" | "worker",
  options: GenerateOptions = {},
  endpoint = "https://10.5.0.2:6443",
): Promise<Config> {
  const secrets = await testSecrets();
  return generateConfig({
    clusterName: "test",
    endpoint,
    secrets,
    machineType,
    kubernetesVersion: "1.36.3",
    options: { hostDnsForwardKubeDns: true, ...options },
  });
}

/** The active configuration, made of these documents. */
export function activeResource(...documents: readonly (Config | string)[]): Resource<string> {
  const texts = documents.map((document) => (typeof document === "string" ? document : configText(document)));
  return createResource(MachineConfig, MachineConfig.ids.active, texts.join("---\n"));
}

/** A main document with these lines below `machine:`. */
export function mainDocument(...lines: readonly string[]): string {
  return `version: v1alpha1\nmachine:\n  type: worker\n${lines.map((line) => `  ${line}\n`).join("")}cluster: {}\n`;
}

/** A machine in a container, as far as controllers of networks, files and volumes reach it. */
export interface TestMachine {
  readonly platform: Platform;
  readonly clock: Clock;
  /** Prefix of every path. */
  readonly root: string;
  readonly linux: MemoryLinux;
}

export function testMachine(
  options: { readonly root?: string; readonly platform?: Partial<Platform> } = {},
): TestMachine {
  return {
    linux: createMemoryLinux(),
    clock: systemClock,
    root: options.root ?? "",
    platform: {
      name: "container",
      mode: "container",
      configuration: async () => undefined,
      network: async () => ({ hostname: undefined, resolvers: [], instanceType: undefined }),
      ...options.platform,
    },
  };
}

/** Answers requests for volumes as if all of them were mounted at `target`. */
export function mountEverythingAt(target: string): Controller {
  return transformController({
    name: "test.MountController",
    input: VolumeMountRequest,
    output: VolumeMountStatus,
    finalizers: true,
    transform: ({ spec: { volumeID, requester, readOnly } }) =>
      VolumeMountStatus.spec({ volumeID, requester, readOnly, target }),
  });
}
