import type { Logger, State } from "@talos-ts/cosi";
import { formatGoDuration, describeError, OsError, type Clock } from "@talos-ts/base";
import { configText, isComplete, type Config } from "@talos-ts/machinery/config";
import { metadataKeys } from "@talos-ts/machinery/constants";
import { notAuthorized, roles } from "@talos-ts/machinery/roles";
import {
  ApplyConfigurationRequest_Mode as Mode,
  type ApplyConfigurationRequest,
  type ApplyConfigurationRequest_Mode,
} from "@talos-ts/proto/machine/config";
import type { Platform } from "../../../platform.ts";
import type { Sequencer } from "../../../sequence.ts";
import type { ConfigStore } from "../../../config-store.ts";
import { createConfigChecker } from "../../../config/check/config-checker.ts";
import { describePlan } from "../../../plan/describe-plan.ts";
import { rolesOf } from "../../access/role-interceptor.ts";
import { checkIdentity, describeIdentityChange } from "../../support/config/check-identity.ts";
import { planApply, type ApplyPlan } from "../../support/config/plan-apply.ts";
import { createTryPeriod, type TryPeriod } from "../../support/config/try-period.ts";
import type { MachineMethod } from "./method.ts";

/** Time for reading a configuration, in ms: an emulated processor takes ten times as long as the host. */
const checkTimeoutMs = { container: 5000, cloud: 60_000, metal: 60_000 } as const;

const defaultTryNanoseconds = 60_000_000_000n;

export const applyConfiguration = (machine: {
  readonly platform: Platform;
  readonly clock: Clock;
  readonly state: State;
  readonly logger: Logger;
  readonly sequencer: Sequencer;
  readonly config: ConfigStore;
}): MachineMethod<"applyConfiguration"> => {
  const trial = createTryPeriod(machine);
  const checker = createConfigChecker({ timeoutMs: checkTimeoutMs[machine.platform.mode] });
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
      const active = await machine.config.current();
      const current = active !== undefined && isComplete(active) ? active : undefined;
      const isAdmin = rolesOf(context).has(roles.admin);
      if (current !== undefined && !isAdmin) {
        throw notAuthorized();
      }
      if (context.metadata.get(metadataKeys.confirmTrial) !== undefined && !trial.running) throw trialOver();
      const { config, warnings, diff } = await checker.check({
        data: request.data,
        mode: machine.platform.mode,
        ...(request.dryRun && {
          diff: { active: active && configText(active), redact: isAdmin ? undefined : "******" },
        }),
      });
      if (current !== undefined && !isComplete(config)) throw partialConfig();
      const plan = planApply({ mode: request.mode, current, next: config });
      if (request.dryRun) {
        const effects = await describePlan(machine, active, config, { signal: context.signal });
        const moves = describeIdentityChange(current, config);
        return {
          messages: [
            { mode: plan.mode, warnings: [...warnings], modeDetails: `${moves}${dryRun(plan, diff, effects)}` },
          ],
        };
      }
      if (current !== undefined) checkIdentity(current, config, context.metadata);
      machine.logger.info(`apply config request: mode ${describeMode(request.mode, plan.mode)}`);
      const more = await apply(machine, trial, plan, active, config, request);
      return { messages: [{ mode: plan.mode, warnings: [...warnings], modeDetails: `${plan.details}${more}` }] };
    } finally {
      busy = false;
    }
  };
};

/** A confirmation that comes late would apply for good what the machine has just taken back. */
function trialOver(): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "config/trial-over",
    message: "no configuration is on trial: the one that was has been reverted",
    next: "talosctl config-history",
  });
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
  machine: {
    readonly platform: Platform;
    readonly clock: Clock;
    readonly state: State;
    readonly logger: Logger;
    readonly sequencer: Sequencer;
    readonly config: ConfigStore;
  },
  trial: TryPeriod,
  { mode }: ApplyPlan,
  active: Config | undefined,
  config: Config,
  { tryModeTimeout }: ApplyConfigurationRequest,
): Promise<string> {
  if (mode === Mode.TRY) {
    const nanoseconds =
      tryModeTimeout === undefined
        ? defaultTryNanoseconds
        : tryModeTimeout.seconds * 1_000_000_000n + BigInt(tryModeTimeout.nanos);
    trial.begin(active, Number(nanoseconds / 1_000_000n));
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
