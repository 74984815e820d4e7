import { defineResource, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** The boot loader entry the machine was booted from. */
export const BootedEntry = defineResource({
  type: "BootedEntries.talos.dev",
  namespace: "runtime",
  columns: [["Booted Entry", "{.bootedEntry}"]],
  id: "bootedentry",
  spec: {
    bootedEntry: omitEmpty(1, text),
  },
});

export type BootedEntrySpec = SpecOf<typeof BootedEntry>;
