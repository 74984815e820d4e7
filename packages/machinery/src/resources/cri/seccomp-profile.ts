import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";
import { struct } from "../values/index.ts";

/** A seccomp profile for containers. */
export const SeccompProfile = defineResource({
  type: "SeccompProfiles.cri.talos.dev",
  namespace: "cri",
  spec: {
    name: field(1, text),
    value: field(2, struct),
  },
});

export type SeccompProfileSpec = SpecOf<typeof SeccompProfile>;
