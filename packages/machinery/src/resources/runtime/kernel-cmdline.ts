import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The command line of the kernel. */
export const KernelCmdline = defineResource({
  type: "KernelCmdlines.runtime.talos.dev",
  namespace: "runtime",
  aliases: ["cmdline"],
  columns: [["Cmdline", "{.cmdline}"]],
  id: "cmdline",
  spec: {
    cmdline: field(1, text),
  },
});

export type KernelCmdlineSpec = SpecOf<typeof KernelCmdline>;
