import type { Controller } from "@talos-ts/cosi";
import { clusterNetworksOf } from "@talos-ts/machinery/config";
import { ExtraManifestsConfig, type ExtraManifestsConfigSpec } from "@talos-ts/machinery/resources/k8s";
import { controlPlaneConfigController } from "./internal/control-plane-config.ts";

type ExtraManifest = ExtraManifestsConfigSpec["extraManifests"][number];

/** Manifests are applied in the order of their priorities, which begin their ids: the pod network first, the user's last. */
const priorities = { cni: "05", cloudProvider: "30", extra: "99" } as const;

function fromUrl(url: string, priority: string, extraHeaders: ExtraManifest["extraHeaders"] = {}): ExtraManifest {
  return { name: url, url, priority, extraHeaders, inlineManifest: "" };
}

/** Manifests that the configuration adds to the built-in ones. */
export function controlPlaneExtraManifestsController(): Controller {
  return controlPlaneConfigController({
    name: "k8s.ControlPlaneExtraManifestsController",
    output: ExtraManifestsConfig,
    make({ config, cluster }) {
      const { cni } = clusterNetworksOf(config);
      const { externalCloudProvider, extraManifests = [], extraManifestHeaders, inlineManifests = [] } = cluster;
      const providers = externalCloudProvider?.enabled === true ? (externalCloudProvider.manifests ?? []) : [];
      return ExtraManifestsConfig.spec({
        extraManifests: [
          ...(cni.name === "custom" ? cni.urls : []).map((url) => fromUrl(url, priorities.cni)),
          ...providers.map((url) => fromUrl(url, priorities.cloudProvider)),
          ...extraManifests.map((url) => fromUrl(url, priorities.extra, extraManifestHeaders)),
          ...inlineManifests.map(({ name = "", contents = "" }) => ({
            name,
            url: "",
            priority: priorities.extra,
            extraHeaders: {},
            inlineManifest: contents,
          })),
        ],
      });
    },
  });
}
