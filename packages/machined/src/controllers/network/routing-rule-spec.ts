import type { Clock } from "@talos-ts/base";
import { maskPrefix } from "@talos-ts/base/net";
import type { Controller } from "@talos-ts/cosi";
import type { Linux, Rule, RuleSpec } from "@talos-ts/linux";
import { routingRuleAction, routingTable } from "@talos-ts/machinery/resources/enums";
import { RoutingRuleSpec, type RoutingRuleSpecSpec } from "@talos-ts/machinery/resources/network";
import { kernelApplier } from "./internal/kernel-applier.ts";

const wholeMark = 0xffff_ffff;

/** Puts routing rules in the kernel. Rules that somebody else made are left alone, also those of the same priority. */
export function routingRuleSpecController(machine: { readonly linux: Linux; readonly clock: Clock }): Controller {
  const network = machine.linux.networks.here;
  /** Rules that were put in the kernel, by family and priority, so that a changed rule replaces its former self. */
  const applied = new Map<string, RuleSpec>();
  const keyOf = ({ family, priority }: RoutingRuleSpecSpec): string => `${family}/${String(priority)}`;
  const present = async (rule: RuleSpec): Promise<boolean> => (await network.rules()).some(isRule(rule));

  return kernelApplier(machine, {
    name: "network.RoutingRuleSpecController",
    type: RoutingRuleSpec,
    noun: "routing rule",
    groups: ["rules"],
    async apply(spec, _links, { logger }) {
      const wanted = kernelRule(spec);
      const former = applied.get(keyOf(spec));
      if (former !== undefined && !sameRule(former, wanted) && (await present(former))) {
        await network.deleteRule(former);
        logger.info("deleted routing rule", { priority: spec.priority, family: spec.family });
      }
      applied.set(keyOf(spec), wanted);
      if (await present(wanted)) return;
      await network.addRule(wanted);
      logger.info("created routing rule", { priority: spec.priority, family: spec.family, table: spec.table });
    },
    async remove(spec, _links, { logger }) {
      const rule = kernelRule(spec);
      applied.delete(keyOf(spec));
      if (!(await present(rule))) return;
      await network.deleteRule(rule);
      logger.info("deleted routing rule", { priority: spec.priority, family: spec.family });
    },
  });
}

function kernelRule(spec: RoutingRuleSpecSpec): RuleSpec {
  return {
    family: spec.family === "inet6" ? "inet6" : "inet4",
    ...(spec.src === "" ? {} : { source: spec.src }),
    ...(spec.dst === "" ? {} : { destination: spec.dst }),
    ...(spec.iifName === "" ? {} : { inputLink: spec.iifName }),
    ...(spec.oifName === "" ? {} : { outputLink: spec.oifName }),
    ...(spec.fwMark === 0
      ? {}
      : { firewallMark: spec.fwMark, firewallMask: spec.fwMask === 0 ? wholeMark : spec.fwMask }),
    table: routingTable.toNumber(spec.table),
    priority: spec.priority,
    action: routingRuleAction.toNumber(spec.action),
  };
}

function isRule(wanted: RuleSpec): (rule: Rule) => boolean {
  const network = (prefix: string | undefined): string | undefined =>
    prefix === undefined ? undefined : maskPrefix(prefix);
  return (rule) =>
    rule.family === wanted.family &&
    rule.priority === wanted.priority &&
    rule.source === network(wanted.source) &&
    rule.destination === network(wanted.destination) &&
    rule.table === wanted.table &&
    rule.action === wanted.action &&
    rule.inputLink === wanted.inputLink &&
    rule.outputLink === wanted.outputLink &&
    rule.firewallMark === (wanted.firewallMark ?? 0) &&
    rule.firewallMask === (wanted.firewallMask ?? 0);
}

function sameRule(one: RuleSpec, other: RuleSpec): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
