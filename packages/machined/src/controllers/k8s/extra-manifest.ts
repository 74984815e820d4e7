import { join } from "node:path";
import { describeError, OsError } from "@talos-ts/base";
import { readOptional } from "@talos-ts/host";
import { kindOf, reconcileController, shared, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import {
  ExtraManifestsConfig,
  Manifest,
  type ExtraManifestsConfigSpec,
  type ManifestSpec,
} from "@talos-ts/machinery/resources/k8s";
import { NetworkStatus } from "@talos-ts/machinery/resources/network";
import { download } from "./internal/download.ts";
import { parseManifest } from "./internal/parse-manifest.ts";

type ExtraManifest = ExtraManifestsConfigSpec["extraManifests"][number];

/** Largest manifest that is downloaded, in bytes. */
const maxBytes = 16 * 1024 * 1024;
const trustedRoots = "/etc/ssl/certs/ca-certificates.crt";

/** Manifests that the configuration names by URL or contains. One that cannot be had does not keep back the others. */
export function extraManifestController({ root }: { readonly root: string }): Controller {
  /** Downloaded manifests by URL: each is downloaded once. */
  const read = new Map<string, ManifestSpec>();

  async function objectsOf(context: ControllerContext, manifest: ExtraManifest): Promise<ManifestSpec> {
    const key = JSON.stringify(manifest);
    const known = read.get(key);
    if (known !== undefined) return known;
    const { name, url, inlineManifest, extraHeaders: headers } = manifest;
    const ca = await readOptional(join(root, trustedRoots));
    const text =
      url === ""
        ? inlineManifest
        : await download(url, { headers, signal: context.signal, maxBytes, ...(ca !== undefined && { ca }) });
    if (url !== "") context.logger.info("downloaded manifest", { url });
    const objects = parseManifest(text, JSON.stringify(url === "" ? name : url)) as ManifestSpec;
    read.set(key, objects);
    return objects;
  }

  return reconcileController({
    name: "k8s.ExtraManifestController",
    inputs: [
      weak(ExtraManifestsConfig, { id: ExtraManifestsConfig.id }),
      weak(NetworkStatus, { id: NetworkStatus.id }),
    ],
    outputs: [shared(Manifest)],
    cleanup: [kindOf(Manifest)],
    async reconcile(context) {
      const network = (await context.find(NetworkStatus, NetworkStatus.id))?.spec;
      const wanted = (await context.find(ExtraManifestsConfig, ExtraManifestsConfig.id))?.spec.extraManifests ?? [];
      const online = network?.addressReady === true && network.connectivityReady;
      const failures: string[] = [];
      for (const manifest of wanted) {
        const id = `${manifest.priority}-${manifest.name}`;
        try {
          if (manifest.url !== "" && !online) continue;
          const spec = await objectsOf(context, manifest);
          await context.put(Manifest, id, () => spec);
        } catch (err) {
          failures.push(describeError(err));
        }
      }
      const keys = new Set(wanted.map((manifest) => JSON.stringify(manifest)));
      for (const key of read.keys()) if (!keys.has(key)) read.delete(key);
      if (failures.length === 0) return;
      throw new OsError({
        kind: "unavailable",
        code: "k8s/extra-manifest",
        message: failures.join("; "),
        next: "talosctl get extramanifestsconfigs -o yaml",
      });
    },
  });
}
