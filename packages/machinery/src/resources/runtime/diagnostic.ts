import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";

/** A problem a person should know about. */
export const Diagnostic = defineResource({
  type: "Diagnostics.runtime.talos.dev",
  namespace: "runtime",
  columns: [["Message", "{.message}"]],
  spec: {
    message: field(1, text),
    details: field(2, list(text)),
  },
});

export type DiagnosticSpec = SpecOf<typeof Diagnostic>;
