import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";

/** Environment variables of a service. */
export const Environment = defineResource({
  type: "Environments.runtime.talos.dev",
  namespace: "runtime",
  aliases: ["env"],
  columns: [["Variables", "{.variables}"]],
  spec: {
    variables: field(1, list(text)),
  },
});

export type EnvironmentSpec = SpecOf<typeof Environment>;
