import { formatGoDuration, describeError, OsError } from "@talos-ts/base";
import { diffConfigs, isComplete, type Config } from "@talos-ts/machinery/config";
import { notAuthorized, roles } from "@talos-ts/machinery/roles";
import {
  ApplyConfigurationRequest_Mode as Mode,
  type ApplyConfigurationRequest,
  type ApplyConfigurationRequest_Mode,
} from "@talos-ts/proto/machine/config";
import type { Machine } from "../../../machine.ts";
import { describePlan } from "../../../plan/describe-plan.ts";
import { rolesOf } from "../../access/role-interceptor.ts";
import { checkConfig } from "../../support/config/check-config.ts";
import { checkIdentity, describeIdentityChange } from "../../support/config/check-identity.ts";
import { planApply, type ApplyPlan } from "../../support/config/plan-apply.ts";
import { createTryPeriod, type TryPeriod } from "../../support/config/try-period.ts";
import type { Handler } from "./handler.ts";

const defaultTryNanoseconds = 60_000_000_000n;

export const applyConfiguration: Handler<"applyConfiguration"> = (machine) => {
  const trial = createTryPeriod(machine);
  let busy = false;

  return async (request, context) => {
    if (busy) {
      throw new OsError({
        kind: "failed-precondition",
        code: "config/busy",
        message: "another apply configuration is already in progress",
        next: "talosctl events --tail 20",
      });
    }
    busy = true;
    try {
      const current = replaceable(machine);
      const isAdmin = rolesOf(context).has(roles.admin);
      if (current !== undefined && !isAdmin) {
        throw notAuthorized();
      }
      const { config, warnings } = await checkConfig(request.data, machine.platform.mode);
      if (current !== undefined && !isComplete(config)) throw partialConfig();
      const plan = planApply({ mode: request.mode, current, next: config });
      if (request.dryRun) {
        const diff = diffConfigs(machine.config.current(), config, isAdmin ? {} : { redact: "******" });
        const effects = await describePlan(machine, machine.config.current(), config, { signal: context.signal });
        const moves = describeIdentityChange(current, config);
        return {
          messages: [
            { mode: plan.mode, warnings: [...warnings], modeDetails: `${moves}${dryRun(plan, diff, effects)}` },
          ],
        };
      }
      if (current !== undefined) checkIdentity(current, config, context.metadata);
      machine.logger.info(`apply config request: mode ${describeMode(request.mode, plan.mode)}`);
      const more = await apply(machine, trial, plan, config, request);
      return { messages: [{ mode: plan.mode, warnings: [...warnings], modeDetails: `${plan.details}${more}` }] };
    } finally {
      busy = false;
    }
  };
};

/** The configuration that stands in the way of a change; in maintenance mode there is none. */
function replaceable(machine: Machine): Config | undefined {
  const current = machine.config.current();
  return current !== undefined && isComplete(current) ? current : undefined;
}

function partialConfig(): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "config/partial",
    message:
      "the applied machine configuration doesn't contain v1alpha1 config, did you mean to patch the machine config instead?",
    next: "talosctl patch machineconfig --patch @<patch.yaml>",
  });
}

/** The text clients know, and after it what resources will change: shown as it is, also by clients that know nothing of it. */
function dryRun({ details }: ApplyPlan, diff: string, effects: string): string {
  const changes = diff === "" ? "No changes.\n" : diff;
  return `Dry run summary:\n${details} (skipped in dry-run).\nConfig diff:\n\n${changes}\n${effects}`;
}

function describeMode(asked: ApplyConfigurationRequest_Mode, chosen: ApplyConfigurationRequest_Mode): string {
  const text = asked === Mode.AUTO ? `${Mode[asked]}(${Mode[chosen]})` : Mode[chosen];
  return text.toLowerCase();
}

/** @returns what the caller has to know beyond the mode */
async function apply(
  machine: Machine,
  trial: TryPeriod,
  { mode }: ApplyPlan,
  config: Config,
  { tryModeTimeout }: ApplyConfigurationRequest,
): Promise<string> {
  if (mode === Mode.TRY) {
    const nanoseconds =
      tryModeTimeout === undefined
        ? defaultTryNanoseconds
        : tryModeTimeout.seconds * 1_000_000_000n + BigInt(tryModeTimeout.nanos);
    trial.begin(Number(nanoseconds / 1_000_000n));
    await machine.config.activate(config);
    return `\nThe config is applied in 'try' mode and will be automatically reverted back in ${formatGoDuration(nanoseconds)}`;
  }
  trial.end();
  await machine.config.persist(config);
  if (mode === Mode.NO_REBOOT) await machine.config.activate(config);
  if (mode === Mode.REBOOT) {
    machine.sequencer
      .run("reboot", {}, { takeOver: true })
      .catch((err: unknown) => machine.logger.error("apply configuration failed", { error: describeError(err) }));
  }
  return "";
}
