import { defineResource, double, list, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** A group of processes that was killed because memory ran out. */
export const OOMAction = defineResource({
  type: "OOMActions.talos.dev",
  namespace: "runtime",
  sensitivity: "sensitive",
  aliases: ["oomaction", "oomactions"],
  columns: [
    ["Time", "{.time}"],
    ["Score", "{.score}"],
  ],
  spec: {
    triggerContext: omitEmpty(1, text),
    score: omitEmpty(2, double),
    processes: omitEmpty(3, list(text)),
  },
});

export type OOMActionSpec = SpecOf<typeof OOMAction>;
