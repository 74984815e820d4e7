import type { Clock } from "@talos-ts/base";
import type { Controller } from "@talos-ts/cosi";
import type { Linux, Route } from "@talos-ts/linux";
import { maskPrefix } from "@talos-ts/base/net";
import { routeProtocol, routeType, routingTable, scope } from "@talos-ts/machinery/resources/enums";
import { RouteSpec, type RouteSpecSpec } from "@talos-ts/machinery/resources/network";
import { kernelApplier } from "./internal/kernel-applier.ts";
import { findLink } from "./internal/link-names.ts";

/** Puts routes in the kernel. A route whose link does not exist waits for it. */
export function routeSpecController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  const network = machine.linux.networks.here;

  /** The same way to the same place at the same cost; it may differ in the rest. */
  async function present(spec: RouteSpecSpec, linkIndex: number): Promise<Route | undefined> {
    const destination = spec.dst === "" ? undefined : maskPrefix(spec.dst);
    return (await network.routes()).find(
      (route) =>
        route.family === spec.family &&
        route.destination === destination &&
        route.table === routingTable.toNumber(spec.table) &&
        route.priority === spec.priority &&
        (route.gateway ?? "") === spec.gateway &&
        (linkIndex === 0 || route.linkIndex === linkIndex),
    );
  }

  return kernelApplier(machine, {
    name: "network.RouteSpecController",
    type: RouteSpec,
    noun: "route",
    groups: ["links", "addresses", "routes"],
    async apply(spec, links, { logger }) {
      const link = findLink(links, spec.outLinkName);
      if (spec.outLinkName !== "" && link === undefined) return;
      const wanted = kernelRoute(spec, link?.index ?? 0);
      const current = await present(spec, link?.index ?? 0);
      if (
        current !== undefined &&
        // IPv6 routes have no scope: the kernel shows all of them as global.
        (spec.family === "inet6" || current.scope === wanted.scope) &&
        current.type === wanted.type &&
        current.protocol === wanted.protocol &&
        current.mtu === spec.mtu &&
        (current.source ?? "") === spec.src
      ) {
        return;
      }
      await network.addRoute(wanted, { replace: true });
      logger.info("created route", { destination: spec.dst, gateway: spec.gateway, link: spec.outLinkName });
    },
    async remove(spec, links, { logger }) {
      const link = findLink(links, spec.outLinkName);
      if (spec.outLinkName !== "" && link === undefined) return;
      if ((await present(spec, link?.index ?? 0)) === undefined) return;
      await network.deleteRoute(kernelRoute(spec, link?.index ?? 0));
      logger.info("deleted route", { destination: spec.dst, gateway: spec.gateway, link: spec.outLinkName });
    },
  });
}

function kernelRoute(spec: RouteSpecSpec, linkIndex: number) {
  return {
    family: spec.family === "inet6" ? "inet6" : "inet4",
    ...(spec.dst === "" ? {} : { destination: spec.dst }),
    ...(spec.src === "" ? {} : { source: spec.src }),
    ...(spec.gateway === "" ? {} : { gateway: spec.gateway }),
    ...(linkIndex === 0 ? {} : { linkIndex }),
    ...(spec.mtu === 0 ? {} : { mtu: spec.mtu }),
    table: routingTable.toNumber(spec.table),
    priority: spec.priority,
    scope: scope.toNumber(spec.scope),
    type: routeType.toNumber(spec.type),
    protocol: routeProtocol.toNumber(spec.protocol),
  } as const;
}
