/**
 * Builds the container images of Kubernetes into the cache, so that no suite has to: `npm run images`. Where the registries
 * answer, nodes pull, and nothing is built.
 */
import { buildImages } from "@talos-ts/imager";
import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";
import { chooseImages, imageReferences, kubernetesTag } from "@talos-ts/provision";
import { lineProgress } from "../lib/line-progress.ts";

const references = imageReferences(defaultKubernetesVersion);
const { mode, reason } = await chooseImages("auto", Object.values(references));
console.error(`container images: ${mode} (${reason})`);
if (mode === "build") {
  const { layout } = await buildImages(
    { references, kubernetes: kubernetesTag(defaultKubernetesVersion) },
    lineProgress,
  );
  console.error(`image layout: ${layout}`);
}
