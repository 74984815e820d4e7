import { document } from "../schema/document.ts";
import { parsePrefix } from "../schema/go-net.ts";
import { unsigned } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";
import { failure } from "../validate/rules.ts";
import { requireName } from "./shared/rules.ts";

export const blackholeRouteConfig = document({
  kind: "BlackholeRouteConfig",
  schemaName: "network.BlackholeRouteConfigV1Alpha1",
  doc: "A network whose traffic is dropped.",
  name: "The network, such as 10.0.0.0/8.",
  fields: { metric: property(unsigned("uint32"), "Metric of the route.", { default: "1024" }) },
  validate: (route, check) => {
    requireName(route, check);
    const problem = failure(() => parsePrefix(route.name ?? ""));
    if (problem !== undefined) check.error(["name"], `name must be a valid address prefix: ${problem}`);
  },
});
