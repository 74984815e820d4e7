import { document } from "../schema/document.ts";
import { parseAddress } from "../schema/go-net.ts";
import { string } from "../schema/scalars.ts";
import { property, array } from "../schema/type.ts";
import { failure } from "../validate/rules.ts";
import { requireName } from "./shared/rules.ts";

export const staticHostConfig = document({
  kind: "StaticHostConfig",
  schemaName: "network.StaticHostConfigV1Alpha1",
  doc: "An entry of /etc/hosts.",
  name: "Address of the host.",
  fields: {
    hostnames: property(array(string()), "Names of the host.", {
      always: true,
      example: ["my-server", "my-server.example.org"],
    }),
  },
  validate: (host, check) => {
    requireName(host, check, "name is required");
    if (failure(() => parseAddress(host.name ?? "")) !== undefined)
      check.error(["name"], "name must be a valid IP address");
    if ((host.hostnames ?? []).length === 0) check.error(["hostnames"], "at least one hostname is required");
  },
});
