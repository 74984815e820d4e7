import type { Family } from "./family.ts";

/** FR_ACT_* */
export const ruleActions = { toTable: 1, goto: 2, nop: 3, blackhole: 6, unreachable: 7, prohibit: 8 } as const;

/** A policy routing rule: which table is asked for which packets. */
export interface Rule {
  readonly family: Family;
  readonly source: string | undefined;
  readonly destination: string | undefined;
  readonly table: number;
  readonly priority: number;
  /** See {@link ruleActions}. */
  readonly action: number;
  readonly inputLink: string | undefined;
  readonly outputLink: string | undefined;
  readonly firewallMark: number;
  readonly firewallMask: number;
  readonly protocol: number;
}

/** A routing policy rule to add (ip-rule(8)). */
export interface RuleSpec {
  readonly family: Family;
  readonly source?: string;
  readonly destination?: string;
  readonly table?: number;
  readonly priority?: number;
  /** @default {1} */
  readonly action?: number;
  readonly inputLink?: string;
  readonly outputLink?: string;
  readonly firewallMark?: number;
  readonly firewallMask?: number;
}
