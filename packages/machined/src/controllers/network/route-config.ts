import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { blackholeRouteConfig, documentsOf, type DocumentOf } from "@talos-ts/machinery/config";
import { routingTable } from "@talos-ts/machinery/resources/enums";
import { RouteSpec, type RouteSpecSpec } from "@talos-ts/machinery/resources/network";
import { addressOf, isIPv6, isMulticast, maskPrefix } from "@talos-ts/base/net";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { configuredLinks, type ConfiguredRoute } from "./internal/configured-links.ts";
import { devicesInput, readDevices } from "./internal/devices.ts";
import { configNamespace, layeredId, routeId } from "./internal/resource-ids.ts";

const defaultMetric = 1024;

/** Static routes of the configuration, and the networks whose traffic it drops. */
export function routeConfigController(): Controller {
  return reduceController({
    name: "network.RouteConfigController",
    inputs: [activeConfigInput, devicesInput],
    outputs: [shared(RouteSpec, configNamespace)],
    async reduce(context) {
      const config = await activeConfig(context);
      const links = configuredLinks(config, await readDevices(context));
      const specs = [
        ...links.flatMap(({ name, routes }) => routes.map((route) => routeSpec(name, route))),
        ...(config === undefined ? [] : documentsOf(config, blackholeRouteConfig).map(blackholeSpec)),
      ];
      return specs.map((spec) =>
        createResource(RouteSpec, layeredId(spec.layer, routeId(spec)), spec, { namespace: configNamespace }),
      );
    },
  });
}

function routeSpec(outLinkName: string, route: ConfiguredRoute): RouteSpecSpec {
  const { gateway, source, mtu } = route;
  // The kernel knows a route to everywhere as one without a destination.
  const everywhere = /^(?:0\.0\.0\.0|::)\/0$/.test(route.destination);
  const dst = everywhere ? "" : route.destination;
  const v6 = [gateway, route.destination].some((text) => text !== "" && isIPv6(text));
  return RouteSpec.spec({
    family: v6 ? "inet6" : "inet4",
    dst,
    src: source,
    gateway,
    outLinkName,
    table: routingTable.fromNumber(routingTable.table[route.table] ?? routingTable.toNumber("main")),
    priority: route.metric === 0 ? defaultMetric : route.metric,
    scope: gateway === "" ? "link" : "global",
    type: dst !== "" && isMulticast(addressOf(dst)) ? "multicast" : "unicast",
    protocol: "static",
    layer: "configuration",
    mtu,
  });
}

function blackholeSpec({ name = "", metric = 0 }: DocumentOf<typeof blackholeRouteConfig>): RouteSpecSpec {
  return RouteSpec.spec({
    family: isIPv6(name) ? "inet6" : "inet4",
    dst: maskPrefix(name),
    table: "main",
    priority: metric === 0 ? defaultMetric : metric,
    scope: "global",
    type: "blackhole",
    protocol: "static",
    layer: "configuration",
  });
}
