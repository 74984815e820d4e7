import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { imageRulesOf } from "@talos-ts/machinery/config";
import { ImageVerificationRule } from "@talos-ts/machinery/resources/security";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Rules of `ImageVerificationConfig` in their order: the id is the place in the list, with four digits. */
export function imageVerificationConfigController(): Controller {
  return reduceController({
    name: "security.ImageVerificationConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(ImageVerificationRule)],
    async reduce(context) {
      const config = await activeConfig(context);
      return (config === undefined ? [] : imageRulesOf(config)).map(({ id, pattern, action, keyless, publicKey }) =>
        createResource(
          ImageVerificationRule,
          id,
          ImageVerificationRule.spec({
            imagePattern: pattern,
            skip: action === "skip",
            deny: action === "deny",
            keylessVerifier: keyless,
            publicKeyVerifier: publicKey === undefined ? undefined : { certificate: publicKey },
          }),
        ),
      );
    },
  });
}
