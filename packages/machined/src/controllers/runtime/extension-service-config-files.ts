import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "@talos-ts/host";
import { transformController, type Controller } from "@talos-ts/cosi";
import { ExtensionServiceConfig, ExtensionServiceConfigStatus } from "@talos-ts/machinery/resources/runtime";
import { configFileName, configFolder } from "../../extensions/paths.ts";

/** Writes the files of `ExtensionServiceConfig` documents, from where they are mounted into the containers. */
export function extensionServiceConfigFilesController(machine: { readonly root: string }): Controller {
  const folderOf = (name: string): string => `${machine.root}${configFolder}/${name}`;
  return transformController({
    name: "runtime.ExtensionServiceConfigFilesController",
    input: ExtensionServiceConfig,
    output: ExtensionServiceConfigStatus,
    finalizers: true,
    async transform({ metadata, spec }) {
      const folder = folderOf(metadata.id);
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o755 });
      for (const { content, mountPath } of spec.files) {
        await writeDurably(join(folder, configFileName(mountPath)), content, 0o644);
      }
      // Not the version of the resource, which finalizers change too: a new one restarts the service.
      return { specVersion: createHash("sha256").update(JSON.stringify(spec)).digest("hex").slice(0, 16) };
    },
    beforeRelease: ({ metadata }) => rm(folderOf(metadata.id), { recursive: true, force: true }),
  });
}
