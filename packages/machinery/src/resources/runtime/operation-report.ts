import { defineResource, field, int64, list, text, type SpecOf } from "../dsl/index.ts";

/** Last report about an operation, by the client or the sequence that does it. */
export const OperationReport = defineResource({
  type: "OperationReports.runtime.talos.dev",
  namespace: "runtime",
  columns: [
    ["Kind", "{.kind}"],
    ["State", "{.state}"],
  ],
  spec: {
    kind: field(1, text),
    title: field(2, text),
    steps: field(3, list(text)),
    done: field(4, int64),
    state: field(5, text),
    error: field(6, text),
    next: field(7, text),
    deadline: field(8, text),
    started: field(9, text),
    updated: field(10, text),
  },
});

export type OperationReportSpec = SpecOf<typeof OperationReport>;
