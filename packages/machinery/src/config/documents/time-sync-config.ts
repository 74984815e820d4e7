import type { MainConfig } from "./v1alpha1/config.ts";
import { document } from "../schema/document.ts";
import { durationFormat } from "../schema/formats.ts";
import { boolean, string } from "../schema/scalars.ts";
import { property, array, object } from "../schema/type.ts";

const ntp = object("network.NTPConfig", "Network time.", {
  servers: property(array(string()), "Time servers.", { example: ["pool.ntp.org"] }),
});

const ptp = object("network.PTPConfig", "Precision time devices.", {
  devices: property(array(string()), "Paths of the devices.", { example: ["/dev/ptp0"] }),
});

export const timeSyncConfig = document({
  kind: "TimeSyncConfig",
  schemaName: "network.TimeSyncConfigV1Alpha1",
  doc: "Where the machine takes its time from.",
  fields: {
    enabled: property(boolean, "Whether time is synchronised.", { default: "true" }),
    bootTimeout: property(durationFormat, "How long boot waits for the time; absent waits without end."),
    ntp: property(ntp, "Network time."),
    ptp: property(ptp, "Precision time devices."),
  },
  validate: (time, check) => {
    if (time.bootTimeout?.startsWith("-") === true) check.error(["bootTimeout"], "bootTimeout cannot be negative");
    if (time.ntp !== undefined && time.ptp !== undefined) {
      check.error(["ptp"], "only one of ntp or ptp configuration can be specified");
    }
    const conflict = check.main === undefined ? undefined : legacyConflict(check.main);
    if (conflict !== undefined) check.conflict([], `${conflict} in both v1alpha1 and new-style configuration`);
  },
});

function legacyConflict({ machine }: MainConfig): string | undefined {
  const { disabled, servers = [], bootTimeout } = machine?.time ?? {};
  if (disabled === true) return "time sync cannot be disabled";
  if (servers.length > 0) return "time servers cannot be specified";
  return bootTimeout === undefined ? undefined : "boot timeout cannot be specified";
}
