import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The token that tells this machine from others at SideroLink. */
export const UniqueMachineToken = defineResource({
  type: "UniqueMachineTokens.runtime.talos.dev",
  namespace: "runtime",
  columns: [["Token", "{.token}"]],
  id: "unique-machine-token",
  spec: {
    token: field(1, text),
  },
});

export type UniqueMachineTokenSpec = SpecOf<typeof UniqueMachineToken>;
