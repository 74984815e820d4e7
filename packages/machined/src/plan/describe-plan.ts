import type { State } from "@talos-ts/cosi";
import { describeError } from "@talos-ts/base";
import type { Config } from "@talos-ts/machinery/config";
import type { Platform } from "../platform.ts";
import { planChange, type PlanOptions } from "./plan-change.ts";
import { renderPlan } from "./render-plan.ts";

/** The plan as text; a machine that cannot tell what will change says so, as that is no reason not to change it. */
export async function describePlan(
  machine: { readonly platform: Platform; readonly state: State },
  current: Config | undefined,
  next: Config,
  options: PlanOptions = {},
): Promise<string> {
  try {
    return renderPlan(await planChange(machine, current, next, options));
  } catch (err) {
    return `Plan: not known: ${describeError(err)}`;
  }
}
