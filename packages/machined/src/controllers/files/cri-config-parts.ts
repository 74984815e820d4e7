import { createHash } from "node:crypto";
import { createResource, reduceController, shared, weak, type Controller, type Reader } from "@talos-ts/cosi";
import type { TextFiles, Linux } from "@talos-ts/linux";
import { EtcFileSpec, EtcFileStatus } from "@talos-ts/machinery/resources/files";
import { criConfig } from "../../services/definitions/cri-config.ts";
import { etcLabel } from "../internal/etc-label.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { baseSpecFile } from "./cri-base-runtime-spec.ts";
import { criPlugin } from "./cri-registry-config.ts";
import { mergeToml } from "../../toml/merge.ts";
import { parseToml } from "../../toml/parse.ts";
import { renderToml } from "../../toml/render.ts";
import type { TomlTable } from "../../toml/value.ts";

const merged = "cri/conf.d/cri.toml";
/** Says which version of which part the result contains, for those who wait for theirs. */
const sourceAnnotation = "talos.dev/source-file";
const sysResource = 24n;

/**
 * One configuration of the CRI plugin from all its parts, in the order of their names.
 *
 * containerd replaces the settings of a plugin by those of an imported file instead of joining them, so the result has to be
 * whole: it begins with the settings of the main file.
 */
export function criConfigPartsController(machine: { readonly linux: Linux }): Controller {
  return reduceController({
    name: "files.CRIConfigPartsController",
    inputs: [activeConfigInput, weak(EtcFileSpec), weak(EtcFileStatus, { id: baseSpecFile })],
    outputs: [shared(EtcFileSpec)],
    async reduce(context) {
      const parts = (await context.list(EtcFileSpec)).filter(
        ({ metadata }) => metadata.phase === "running" && /^cri\/conf\.d\/[^/]+\.part$/.test(metadata.id),
      );
      const restrictOomScore = !(await mayLowerOomScore(machine.linux.textFiles));
      const { plugins = {} } = parseToml(criConfig({ restrictOomScore }));
      const layers = [
        { version: 2, plugins },
        ...((await usesBaseSpec(context)) ? [baseSpecPart] : []),
        ...parts.map(({ spec }) => parseToml(spec.contents)),
      ];
      const contents = renderToml(mergeToml(...layers));
      const annotations = Object.fromEntries(
        parts.map(({ metadata, spec }) => [`${sourceAnnotation}:/etc/${metadata.id}`, checksum(spec.contents)]),
      );
      const spec = { contents, mode: 0o600, selinuxLabel: etcLabel };
      return [createResource(EtcFileSpec, merged, spec, { annotations })];
    },
  });
}

/** Points containerd at the base specification; where it is kept, as not every image has a place for it under `/etc`. */
const baseSpecPart: TomlTable = {
  plugins: {
    [criPlugin]: { containerd: { runtimes: { runc: { base_runtime_spec: `/system/etc/${baseSpecFile}` } } } },
  },
};

/** containerd makes the same specification by itself as long as nobody changes it. */
async function usesBaseSpec(context: Reader): Promise<boolean> {
  const overrides = (await activeConfig(context))?.machine?.baseRuntimeSpecOverrides ?? {};
  return Object.keys(overrides).length > 0 && (await context.find(EtcFileStatus, baseSpecFile)) !== undefined;
}

function checksum(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Reports whether the kernel lets this process give others a lower OOM score than its own. */
async function mayLowerOomScore(files: TextFiles): Promise<boolean> {
  const status = await files.read("/proc/self/status").catch(() => "");
  const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return bounding !== undefined && ((BigInt(`0x${bounding}`) >> sysResource) & 1n) === 1n;
}
