import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { kubernetesPaths, type PlatformMode } from "@talos-ts/machinery/constants";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { KubeletConfig, KubeletSpec, NodeIP, Nodename } from "@talos-ts/machinery/resources/k8s";
import { type Arguments, denyArguments, mergeArguments, renderArguments } from "../../command-line/arguments.ts";
import { argumentsFromResource } from "../internal/argument-values.ts";
import { kubeletConfiguration } from "./internal/kubelet-configuration.ts";

/** Arguments the kubelet could not be run without. */
const denied = denyArguments([
  "bootstrap-kubeconfig",
  "cert-dir",
  "config",
  "container-runtime",
  "container-runtime-endpoint",
  "kubeconfig",
]);

/** The parts of the machine that decide how a kubelet must be configured. */
export interface KubeletSpecMachine {
  readonly platform: { readonly mode: PlatformMode };
  readonly linux: { cgroups(): Promise<{ readonly version: 1 | 2 }> };
}

/** Publishes what the kubelet is started with: image, arguments, configuration object. */
export function kubeletSpecController({ platform, linux }: KubeletSpecMachine): Controller {
  return reduceController({
    name: "k8s.KubeletSpecController",
    inputs: [
      weak(KubeletConfig, { id: KubeletConfig.id }),
      weak(Nodename, { id: Nodename.id }),
      weak(NodeIP, { id: NodeIP.id }),
      weak(MachineType, { id: MachineType.id }),
    ],
    outputs: [exclusive(KubeletSpec)],
    async reduce(context) {
      const config = (await context.find(KubeletConfig, KubeletConfig.id))?.spec;
      const nodename = (await context.find(Nodename, Nodename.id))?.spec.nodename;
      const type = (await context.find(MachineType, MachineType.id))?.spec;
      const nodeIP = (await context.find(NodeIP, NodeIP.id))?.spec;
      if (config === undefined || nodename === undefined || type === undefined) return undefined;
      const extraArgs = argumentsFromResource(config.extraArgs);
      const ours: Record<string, readonly string[]> = {
        config: [kubernetesPaths.kubeletConfig],
        "cert-dir": [kubernetesPaths.kubeletPki],
        "hostname-override": [nodename],
      };
      if (!config.skipNodeRegistration) {
        ours["bootstrap-kubeconfig"] = [kubernetesPaths.bootstrapKubeconfig];
        ours["kubeconfig"] = [kubernetesPaths.kubeletKubeconfig];
      }
      if (config.cloudProviderExternal) ours["cloud-provider"] = ["external"];
      if (!("node-ip" in extraArgs)) {
        if (nodeIP === undefined) return undefined;
        ours["node-ip"] = [nodeIP.addresses.join(",")];
      }
      const args: Arguments = mergeArguments(ours, extraArgs, denied);
      const providers = Object.keys(config.credentialProviderConfig).length > 0 ? credentialProviderArgs : {};
      const spec = KubeletSpec.spec({
        image: config.image,
        args: renderArguments({ ...args, ...providers }),
        extraMounts: config.extraMounts,
        // A name that the user gives is not ours to check.
        expectedNodename: "hostname-override" in extraArgs ? "" : nodename,
        config: kubeletConfiguration(config, {
          controlPlane: type === "controlplane" || type === "init",
          inContainer: platform.mode === "container",
          cgroupVersion: (await linux.cgroups()).version,
        }),
        credentialProviderConfig: config.credentialProviderConfig,
      });
      return [createResource(KubeletSpec, KubeletSpec.id, spec)];
    },
  });
}

const credentialProviderArgs: Arguments = {
  "image-credential-provider-bin-dir": [kubernetesPaths.credentialProviders],
  "image-credential-provider-config": [kubernetesPaths.credentialProviderConfig],
};
