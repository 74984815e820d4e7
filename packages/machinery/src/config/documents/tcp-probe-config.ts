import { document } from "../schema/document.ts";
import { durationFormat } from "../schema/formats.ts";
import { integer, string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";
import { requireName } from "./shared/rules.ts";

export const tcpProbeConfig = document({
  kind: "TCPProbeConfig",
  schemaName: "network.TCPProbeConfigV1Alpha1",
  doc: "A check of connectivity: a TCP connection made again and again.",
  name: "Name of the probe.",
  fields: {
    interval: property(durationFormat, "Time between attempts.", { default: "1s" }),
    failureThreshold: property(integer(), "Failures in a row before connectivity counts as lost."),
    endpoint: property(string(), "Address to connect to, as host:port.", {
      always: true,
      required: true,
      example: "proxy.example.com:3128",
    }),
    timeout: property(durationFormat, "How long an attempt may take.", { default: "10s" }),
  },
  validate: (probe, check) => {
    requireName(probe, check, "probe name is required");
    if (probe.endpoint === undefined) check.error(["endpoint"], "TCP probe endpoint is required");
    if (probe.timeout?.startsWith("-") === true) {
      check.error(["timeout"], `TCP probe timeout cannot be negative: ${probe.timeout}`);
    }
    if (probe.interval?.startsWith("-") === true) {
      check.error(["interval"], `probe interval cannot be negative: ${probe.interval}`);
    }
    if ((probe.failureThreshold ?? 0) < 0) {
      check.error(["failureThreshold"], `probe failure threshold cannot be negative: ${probe.failureThreshold}`);
    }
  },
});
