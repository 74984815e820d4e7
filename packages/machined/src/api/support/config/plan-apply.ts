import { OsError } from "@talos-ts/base";
import { diffConfigs, rebootPaths, type Config } from "@talos-ts/machinery/config";
import { ApplyConfigurationRequest_Mode as Mode } from "@talos-ts/proto/machine/config";

export interface ApplyPlan {
  /** Mode in which it will be applied; never "auto". */
  readonly mode: Exclude<Mode, Mode.AUTO>;
  /** Text for the caller. */
  readonly details: string;
}

export interface ApplyInput {
  readonly mode: Mode;
  /** `undefined` while the machine has no complete configuration: then everything can be applied at once. */
  readonly current: Config | undefined;
  readonly next: Config;
}

const details: Readonly<Record<ApplyPlan["mode"], string>> = {
  [Mode.REBOOT]: "Applied configuration with a reboot",
  [Mode.NO_REBOOT]: "Applied configuration without a reboot",
  [Mode.STAGED]: "Staged configuration to be applied after the next reboot",
  [Mode.TRY]: "Applied configuration without a reboot",
};

/**
 * | asked     | change applies at once | change needs a reboot | nothing to replace yet |
 * |-----------|------------------------|-----------------------|------------------------|
 * | auto      | no reboot              | reboot                | no reboot              |
 * | no reboot | no reboot              | refused               | no reboot              |
 * | try       | try                    | refused               | try                    |
 * | reboot    | reboot                 | reboot                | no reboot              |
 * | staged    | staged                 | staged                | staged                 |
 *
 * @throws invalid argument
 */
export function planApply({ mode, current, next }: ApplyInput): ApplyPlan {
  const obstacles = current === undefined ? [] : rebootPaths(current, next);
  const plan = (chosen: ApplyPlan["mode"]): ApplyPlan => ({ mode: chosen, details: details[chosen] });
  switch (mode) {
    case Mode.AUTO:
      return plan(obstacles.length > 0 ? Mode.REBOOT : Mode.NO_REBOOT);
    case Mode.REBOOT:
      return plan(current === undefined ? Mode.NO_REBOOT : Mode.REBOOT);
    case Mode.STAGED:
      return plan(Mode.STAGED);
    case Mode.NO_REBOOT:
    case Mode.TRY:
      if (obstacles.length === 0) return plan(mode);
      throw new OsError({
        kind: "invalid-argument",
        code: "config/needs-reboot",
        message: `this config change can't be applied in immediate mode\ndiff:\n${diffConfigs(current, next, { redact: "******" })}`,
        details: { paths: obstacles },
        next: "talosctl apply-config --mode=reboot --file <config.yaml>",
      });
    default:
      throw new OsError({
        kind: "invalid-argument",
        code: "config/bad-mode",
        message: `incorrect mode '${String(mode)}' specified for the apply config call`,
        next: "talosctl apply-config --help",
      });
  }
}
