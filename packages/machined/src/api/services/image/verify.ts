import { OsError } from "@talos-ts/base";
import { imageRuleOf } from "@talos-ts/machinery/config";
import { parseReference } from "@talos-ts/oci";
import type { ConfigStore } from "../../../config-store.ts";
import type { ImageMethod } from "./method.ts";

/**
 * Says what the rules of `ImageVerificationConfig` mean for an image: no rule and a rule that skips it allow it without a
 * signature, a rule that denies it refuses it. Signatures themselves cannot be checked, so a rule that wants one is an error.
 */
export const verify = (machine: { readonly config: ConfigStore }): ImageMethod<"verify"> =>
  async function ({ imageRef }) {
    const { registry, repository } = readReference(imageRef);
    const config = await machine.config.current();
    const rule = config === undefined ? undefined : imageRuleOf(config, `${registry}/${repository}`);
    if (rule === undefined) return { verified: false, message: "no matched rule" };
    const { id, action } = rule;
    if (action === "skip") return { verified: false, message: `verification skipped by matched rule (${id})` };
    if (action === "deny") {
      throw new OsError({
        kind: "permission-denied",
        code: "image/denied",
        message: `verification denied by matched rule (${id})`,
      });
    }
    throw new OsError({
      kind: "unimplemented",
      code: "image/no-signatures",
      message: `Cannot verify image "${imageRef}": rule ${id} wants a signature, and this system cannot check signatures yet`,
      next: "talosctl edit machineconfig (a rule with skip: true allows the image)",
    });
  };

function readReference(text: string): ReturnType<typeof parseReference> {
  try {
    return parseReference(text);
  } catch (err) {
    const { message } = OsError.from(err);
    throw new OsError({
      kind: "invalid-argument",
      code: "image/bad-reference",
      message: `image reference is invalid: ${message}`,
      cause: err,
    });
  }
}
