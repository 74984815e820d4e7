import { pemToBase64 } from "@talos-ts/crypto";
import type { MachineSection } from "../documents/v1alpha1/config.ts";
import { imageRepositories } from "../../constants/index.ts";
import { kubePrismPort } from "../../constants/index.ts";
import { excludeFromLoadBalancersLabel } from "./defaults.ts";
import type { GenerateContext } from "./generate.ts";
import { compact } from "./compact.ts";
import { encodeKeyPair } from "./pem.ts";
import { legacyNetwork } from "./network.ts";
import { legacyRegistries } from "./registries.ts";

export function generateMachine(context: GenerateContext): MachineSection {
  const { input, options, has } = context;
  const { os } = input.secrets.certs;
  const isWorker = input.machineType === "worker";
  return compact({
    type: input.machineType,
    token: input.secrets.trustdInfo.token,
    ca: isWorker ? { crt: pemToBase64(os.crt) } : encodeKeyPair(os),
    certSANs: options.additionalSans ?? [],
    kubelet: compact({
      image: versioned(imageRepositories.kubelet, input.kubernetesVersion),
      defaultRuntimeSeccompProfileEnabled: has("kubeletSeccompDefault") || undefined,
      disableManifestsDirectory: has("kubeletManifestsDisabled") || undefined,
    }),
    network: legacyNetwork(context),
    disks: options.disks,
    install: compact({
      disk: options.installDisk,
      image: options.installImage,
      extraKernelArgs: options.installExtraKernelArgs,
      wipe: false,
      grubUseUKICmdline: has("grubUsesBootAssetArguments") || undefined,
    }),
    sysctls: options.sysctls,
    registries: legacyRegistries(context),
    features: generateFeatures(context),
    nodeLabels:
      !isWorker && has("excludeFromExternalLoadBalancer") ? { [excludeFromLoadBalancersLabel]: "" } : undefined,
  });
}

/** An image of a Kubernetes version; left to the machine without one. */
export function versioned(image: string, version: string | undefined): string | undefined {
  return version === undefined || version === "" ? undefined : `${image}:v${version}`;
}

function generateFeatures({ options, has }: GenerateContext): NonNullable<MachineSection["features"]> {
  const port = options.kubePrismPort ?? (has("kubePrism") ? kubePrismPort : 0);
  return compact({
    rbac: has("rbacSwitches") || undefined,
    stableHostname: (has("stableHostname") && !has("networkDocuments")) || undefined,
    apidCheckExtKeyUsage: (has("rbacSwitches") && has("apidExtKeyUsage")) || undefined,
    diskQuotaSupport: has("diskQuota") || undefined,
    kubePrism: port > 0 ? { enabled: true, port } : undefined,
    hostDNS: has("hostDns")
      ? compact({
          enabled: true,
          forwardKubeDNSToHost: options.hostDnsForwardKubeDns === true || has("hostDnsForward") || undefined,
        })
      : undefined,
  });
}
