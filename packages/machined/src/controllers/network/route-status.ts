import type { Clock } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import { exclusive, type Controller } from "@talos-ts/cosi";
import { routeFlags, routeProtocol, routeType, routingTable, scope } from "@talos-ts/machinery/resources/enums";
import { RouteStatus } from "@talos-ts/machinery/resources/network";
import { routeId } from "./internal/resource-ids.ts";
import { kernelObserver } from "./internal/kernel-observer.ts";
import { linkNames } from "./internal/link-names.ts";

/** Routes of the kernel, as they are. */
export function routeStatusController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  const network = machine.linux.networks.here;
  return kernelObserver(machine, {
    name: "network.RouteStatusController",
    type: RouteStatus,
    output: exclusive(RouteStatus),
    groups: ["routes"],
    async observe() {
      const names = linkNames(await network.links());
      return (await network.routes()).map((route) => {
        const spec = RouteStatus.spec({
          family: route.family,
          dst: route.destination ?? "",
          src: route.source ?? "",
          gateway: route.gateway ?? "",
          outLinkIndex: route.linkIndex,
          outLinkName: names.get(route.linkIndex) ?? "",
          table: routingTable.fromNumber(route.table),
          priority: route.priority,
          scope: scope.fromNumber(route.scope),
          type: routeType.fromNumber(route.type),
          flags: routeFlags.fromNumber(route.flags),
          protocol: routeProtocol.fromNumber(route.protocol),
          mtu: route.mtu,
        });
        return [routeId(spec), spec] as const;
      });
    },
  });
}
