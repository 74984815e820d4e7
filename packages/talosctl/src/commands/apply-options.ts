import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import {
  ApplyConfigurationRequest_Mode as Mode,
  type ApplyConfiguration,
  type ApplyConfigurationRequestSchema,
} from "@talos-ts/proto/machine/config";
import type { Invocation, OptionDefinition } from "../command.ts";
import { parseDuration } from "../output/go-duration.ts";
import type { Session } from "../session/session.ts";
import { flag, textOption } from "../values.ts";

const modes: Readonly<Record<string, Mode>> = {
  auto: Mode.AUTO,
  "no-reboot": Mode.NO_REBOOT,
  reboot: Mode.REBOOT,
  staged: Mode.STAGED,
  try: Mode.TRY,
};

/** Flags of every command that sends a configuration. */
export const applyOptions: readonly OptionDefinition[] = [
  { flags: "-m, --mode <mode>", description: "how to apply it", choices: Object.keys(modes), default: "auto" },
  { flags: "--dry-run", description: "only show what would change" },
  { flags: "--timeout <duration>", description: "when to go back to the old one in mode try", default: "1m" },
];

/** The request that sends a configuration as the flags ask for. */
export function applyRequest(
  invocation: Invocation,
  config: string,
): MessageInitShape<typeof ApplyConfigurationRequestSchema> {
  return {
    data: new TextEncoder().encode(config),
    mode: modes[textOption(invocation, "mode") ?? "auto"] ?? Mode.AUTO,
    dryRun: flag(invocation, "dryRun"),
    tryModeTimeout: durationFromMs(parseDuration(textOption(invocation, "timeout") ?? "1m")),
  };
}

/** Tells what the nodes made of it. */
export function reportApplied(
  session: Session,
  { io }: Invocation,
  messages: readonly Pick<ApplyConfiguration, "warnings" | "modeDetails">[],
): void {
  for (const { warnings, modeDetails } of messages) {
    for (const warning of warnings) session.warn(warning);
    if (modeDetails !== "") io.out(`${modeDetails}\n`);
  }
}
