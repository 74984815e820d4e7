import { createResource, transformController, type Controller, type Resource } from "@talos-ts/cosi";
import { configText, generateConfig, type Config, type GenerateOptions } from "@talos-ts/machinery/config";
import { VolumeMountRequest, VolumeMountStatus } from "@talos-ts/machinery/resources/block";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { generateBundle, secretsContract, type SecretsBundle } from "@talos-ts/machinery/secrets";

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

/** The resource that makes a configuration the one in effect. */
export function activeResource(config: Config | string): Resource<string> {
  return createResource(
    MachineConfig,
    MachineConfig.ids.active,
    typeof config === "string" ? config : configText(config),
  );
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
