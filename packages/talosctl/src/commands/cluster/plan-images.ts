import { buildImages, type BuiltImages } from "@talos-ts/imager";
import type { Progress } from "@talos-ts/host";
import type { Config } from "@talos-ts/machinery/config";
import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";
import {
  chooseImages,
  clustersDirectory,
  imageModes,
  imageReferences,
  kubernetesTag,
  usedImageCaches,
  type ImageMode,
} from "@talos-ts/provision";
import type { Invocation } from "../../command.ts";
import { badFlag, textOption } from "../../values.ts";
import { probeMirrors } from "./probe-mirrors.ts";

/** Describes where the nodes get container images from, as the flags and the network decide. */
export interface ImagePlan {
  /** True when the nodes run Kubernetes. */
  readonly kubernetes: boolean;
  /** True when the nodes take images from their image cache. */
  readonly cached: boolean;
  /** Builds the image cache; absent when it is there, or not needed. */
  readonly build?: (progress: Progress) => Promise<BuiltImages>;
}

/**
 * Reads the flags about images and says what will be done.
 *
 * @param nodeConfigs Makes configurations as the nodes will have them, whose registry settings decide who is asked; called when nobody
 * said where images come from.
 * @throws OsError `cli/bad-flag`
 */
export async function planImages(
  invocation: Invocation,
  nodeConfigs: () => Promise<readonly Config[]>,
): Promise<ImagePlan> {
  const wanted = textOption(invocation, "images");
  const given = textOption(invocation, "imageCachePath");
  if (wanted !== undefined && !isMode(wanted)) throw badFlag("images", wanted, imageModes.join(", "));
  if (given !== undefined) {
    if (wanted !== undefined && wanted !== "none")
      throw badFlag("images", wanted, "no source beside --image-cache-path");
    return { kubernetes: true, cached: true };
  }
  const version = textOption(invocation, "kubernetesVersion") ?? defaultKubernetesVersion;
  const references = imageReferences(version);
  const all = Object.values(references);
  const asked = wanted ?? "auto";
  const probe = asked === "auto" ? probeMirrors(await nodeConfigs(), all) : undefined;
  const { mode, reason } = await chooseImages(asked, all, probe);
  if (mode !== "none") invocation.io.err(`container images: ${mode} (${reason})\n`);
  if (mode === "none") return { kubernetes: false, cached: false };
  if (mode === "pull") return { kubernetes: true, cached: false };
  const { signal } = invocation;
  return {
    kubernetes: true,
    cached: true,
    build: async (progress) => {
      const inUse = await usedImageCaches(textOption(invocation, "state") ?? clustersDirectory());
      return await buildImages({ references, kubernetes: kubernetesTag(version), inUse, signal }, progress);
    },
  };
}

function isMode(text: string): text is ImageMode {
  return imageModes.some((mode) => mode === text);
}
