import { defineResource, field, int64, text, type SpecOf } from "../dsl/index.ts";

/** State of the configuration for the next boot on disk: the version last written, and why a later one is not. */
export const ConfigPersistStatus = defineResource({
  type: "ConfigPersistStatuses.config.talos.dev",
  namespace: "config",
  columns: [
    ["Written", "{.written}"],
    ["Failed", "{.failed}"],
    ["Error", "{.error}"],
  ],
  id: "persistent",
  spec: {
    /** Version of the resource `persistent` that is on disk. */
    written: field(1, int64),
    /** Version that could not be written; zero when there is none. */
    failed: field(2, int64),
    error: field(3, text),
  },
});

export type ConfigPersistStatusSpec = SpecOf<typeof ConfigPersistStatus>;
