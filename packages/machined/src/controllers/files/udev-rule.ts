import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import type { PlatformMode } from "@talos-ts/machinery/constants";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { etcLabel } from "../internal/etc-label.ts";

/** File of the rules of the configuration, below `/etc`; read after those of the image. */
export const udevRulesFile = "udev/rules.d/99-talos.rules";

/** The rules of `machine.udev`, as a file for udevd. Devices of a container belong to its host, where no udevd of ours runs. */
export function udevRuleController({ platform }: { readonly platform: { readonly mode: PlatformMode } }): Controller {
  return reduceController({
    name: "files.UdevRuleController",
    inputs: [activeConfigInput],
    outputs: [shared(EtcFileSpec)],
    async reduce(context) {
      const rules = (await activeConfig(context))?.machine?.udev?.rules ?? [];
      if (rules.length === 0) return [];
      if (platform.mode === "container") {
        context.logger.warn("udev rules have no effect in a container: its devices belong to the host");
        return [];
      }
      const contents = rules.map((rule) => `${rule.trim()}\n`).join("");
      return [createResource(EtcFileSpec, udevRulesFile, { contents, mode: 0o644, selinuxLabel: etcLabel })];
    },
  });
}
