import type { MainConfig } from "./v1alpha1/config.ts";
import { document } from "../schema/document.ts";
import { choice, string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";

export const hostnameConfig = document({
  kind: "HostnameConfig",
  schemaName: "network.HostnameConfigV1Alpha1",
  doc: "The name of the machine: given, or derived from its identity.",
  fields: {
    auto: property(
      choice("AutoHostnameKind", ["off", "talos-addr", "stable"], { json: { enum: ["stable", "off"] } }),
      "How a name is made when none is given: stable derives it from the machine's identity.",
    ),
    hostname: property(string(), "The name, with or without domain.", { example: "controlplane1" }),
  },
  validate: ({ auto, hostname }, check) => {
    if (auto === undefined && hostname === undefined) check.error([], "either 'auto' or 'hostname' must be set");
    if (auto !== undefined && auto !== "off" && hostname !== undefined) {
      check.error(["hostname"], "'auto' and 'hostname' cannot be set at the same time");
    }
    if (auto === "talos-addr") check.error(["auto"], `invalid value for 'auto': ${auto}`);
    if (hostname !== undefined) {
      if (hostname.length > 253) check.error(["hostname"], `fqdn is too long: ${hostname.length}`);
      const first = hostname.split(".", 1)[0] ?? "";
      if (first.length === 0 || first.length > 63)
        check.error(["hostname"], `invalid hostname ${JSON.stringify(first)}`);
    }
    const conflict = check.main === undefined ? undefined : legacyConflict(check.main);
    if (conflict !== undefined) check.conflict([], conflict);
  },
});

function legacyConflict({ machine }: MainConfig): string | undefined {
  if (machine?.network?.hostname !== undefined) return "static hostname is already set in v1alpha1 config";
  return machine?.features?.stableHostname === true ? "stable hostname is already set in v1alpha1 config" : undefined;
}
