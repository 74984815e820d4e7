import { defineResource, field, int64, list, text, type SpecOf } from "../dsl/index.ts";

/** Long work on the machine or its cluster, and how far it is; the last twenty are kept over restarts. */
export const Operation = defineResource({
  type: "Operations.runtime.talos.dev",
  namespace: "runtime",
  aliases: ["op"],
  columns: [
    ["Kind", "{.kind}"],
    ["State", "{.state}"],
    ["Done", "{.done}"],
    ["Step", "{.step}"],
    ["Updated", "{.updated}"],
  ],
  spec: {
    kind: field(1, text),
    title: field(2, text),
    steps: field(3, list(text)),
    done: field(4, int64),
    step: field(5, text),
    state: field(6, text),
    error: field(7, text),
    next: field(8, text),
    started: field(9, text),
    updated: field(10, text),
    deadline: field(11, text),
  },
});

export type OperationSpec = SpecOf<typeof Operation>;
