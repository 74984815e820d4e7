import { enumOf, type ValueOf } from "../dsl/index.ts";

/** Source of a setting; a later one overrides an earlier one. */
export const configLayer = enumOf("ConfigLayer", {
  default: 0,
  cmdline: 1,
  platform: 2,
  operator: 3,
  configuration: 4,
});

export type ConfigLayer = ValueOf<typeof configLayer>;

/** Operator that obtains settings of a link at run time. */
export const operator = enumOf("Operator", { dhcp4: 0, dhcp6: 1, vip: 2 });

export type Operator = ValueOf<typeof operator>;

/** Client identifier of DHCP. */
export const clientIdentifier = enumOf("ClientIdentifier", { none: 0, mac: 1, duid: 2 });

export type ClientIdentifier = ValueOf<typeof clientIdentifier>;
