import { getFips } from "node:crypto";
import { isCode } from "@talos-ts/base";
import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import type { TextFiles } from "@talos-ts/linux";
import { SecurityState, type SecurityStateSpec } from "@talos-ts/machinery/resources/runtime";
import { readBootSecurity } from "../../boot-loader/loader-variables.ts";
import type { Platform } from "../../platform.ts";

const enforcePath = "/sys/fs/selinux/enforce";
const moduleSignatures = "module.sig_enforce=1";

/**
 * Publishes which security features are on, read once. Secure boot and the kind of the boot image are those of a machine that boots by
 * itself, so a container has none of them. Images are not signed, so there are no keys to name.
 */
export function securityStateController(machine: {
  readonly platform: Pick<Platform, "mode">;
  readonly linux: { readonly textFiles: Pick<TextFiles, "read"> };
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
  /** @default that of Node.js */
  readonly fips?: boolean;
}): Controller {
  const { textFiles } = machine.linux;
  return reduceController({
    name: "runtime.SecurityStateController",
    inputs: [],
    outputs: [exclusive(SecurityState)],
    async reduce() {
      const own = machine.platform.mode !== "container";
      const boot = own ? await readBootSecurity(machine.root) : { secureBoot: false, unifiedKernel: false };
      const words = (await textFiles.read("/proc/cmdline")).trim().split(/\s+/);
      const spec = SecurityState.spec({
        secureBoot: boot.secureBoot,
        bootedWithUKI: boot.unifiedKernel,
        selinuxState: await selinuxState(textFiles),
        fipsState: (machine.fips ?? getFips() === 1) ? "enabled" : "disabled",
        moduleSignatureEnforced: words.includes(moduleSignatures),
      });
      return [createResource(SecurityState, SecurityState.id, spec)];
    },
  });
}

async function selinuxState(files: Pick<TextFiles, "read">): Promise<SecurityStateSpec["selinuxState"]> {
  try {
    return (await files.read(enforcePath)).trim() === "1" ? "enabled, enforcing" : "enabled, permissive";
  } catch (err) {
    if (isCode(err, "file/enoent")) return "disabled";
    throw err;
  }
}
