import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/**
 * A setting of the configuration that this machine cannot apply, and the reason: the kernel lacks something, or belongs to
 * somebody else. It goes away once the setting is applied or no longer wanted.
 */
export const SettingProblem = defineResource({
  type: "SettingProblems.runtime.talos.dev",
  namespace: "runtime",
  columns: [
    ["Setting", "{.setting}"],
    ["Reason", "{.reason}"],
  ],
  spec: {
    setting: field(1, text),
    reason: field(2, text),
  },
});

export type SettingProblemSpec = SpecOf<typeof SettingProblem>;
