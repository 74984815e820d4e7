import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { SeccompProfile } from "@talos-ts/machinery/resources/cri";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { jsonObject } from "../internal/json-object.ts";

/** Seccomp profiles of the configuration, from `machine.seccompProfiles`. */
export function seccompProfileController(): Controller {
  return reduceController({
    name: "cri.SeccompProfileController",
    inputs: [activeConfigInput],
    outputs: [exclusive(SeccompProfile)],
    async reduce(context) {
      const profiles = (await activeConfig(context))?.machine?.seccompProfiles ?? [];
      return profiles.map(({ name = "", value }) =>
        createResource(SeccompProfile, name, SeccompProfile.spec({ name, value: jsonObject(value) })),
      );
    },
  });
}
