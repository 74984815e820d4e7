import type { Clock } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import { exclusive, type Controller } from "@talos-ts/cosi";
import { routingRuleAction, routingTable } from "@talos-ts/machinery/resources/enums";
import { RoutingRuleStatus } from "@talos-ts/machinery/resources/network";
import { routingRuleId } from "./internal/resource-ids.ts";
import { kernelObserver } from "./internal/kernel-observer.ts";

/** Routing rules of the kernel, as they are. */
export function routingRuleStatusController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  return kernelObserver(machine, {
    name: "network.RoutingRuleStatusController",
    type: RoutingRuleStatus,
    output: exclusive(RoutingRuleStatus),
    groups: ["rules"],
    async observe() {
      return (await machine.linux.networks.here.rules()).map((rule) => {
        const spec = RoutingRuleStatus.spec({
          family: rule.family,
          src: rule.source ?? "",
          dst: rule.destination ?? "",
          table: routingTable.fromNumber(rule.table),
          priority: rule.priority,
          action: routingRuleAction.fromNumber(rule.action),
          iifName: rule.inputLink ?? "",
          oifName: rule.outputLink ?? "",
          fwMark: rule.firewallMark,
          fwMask: rule.firewallMask,
        });
        return [routingRuleId(rule.family, rule.priority), spec] as const;
      });
    },
  });
}
