import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { CallOptions } from "@talos-ts/grpc";
import { allowIdentityChangeKey, metadataKeys } from "@talos-ts/machinery/constants";
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
  {
    flags: "--allow-identity-change",
    description: "let a running node move to another cluster (other CA, token or cluster id)",
  },
  { flags: "--timeout <duration>", description: "when to go back to the old one in mode try", default: "1m" },
  {
    flags: "--confirm <duration>",
    description:
      "keep the configuration only if the node is reached again within this time, else the node reverts it; 0 keeps it at once (default 2m for changes of links, addresses, routes and the firewall)",
  },
  {
    flags: "--confirm-node <address>",
    description: "where the node is reached after the change, if its address changes",
  },
  {
    flags: "--confirm-settle <duration>",
    description: "how long the change is given to take effect before the node is asked",
    default: "5s",
  },
];

export type ApplyRequest = MessageInitShape<typeof ApplyConfigurationRequestSchema>;

/** The request that sends a configuration as the flags ask for. */
export function applyRequest(invocation: Invocation, config: string): ApplyRequest {
  return {
    data: new TextEncoder().encode(config),
    mode: modes[textOption(invocation, "mode") ?? "auto"] ?? Mode.AUTO,
    dryRun: flag(invocation, "dryRun"),
    tryModeTimeout: durationFromMs(parseDuration(textOption(invocation, "timeout") ?? "1m")),
  };
}

/**
 * Call options that carry what the request has no field for.
 *
 * @param confirmsTrial True for the call that keeps a configuration which is on trial. Default: false.
 */
export function applyCallOptions(invocation: Invocation, confirmsTrial = false): CallOptions {
  const allow = flag(invocation, "allowIdentityChange");
  const metadata = {
    ...(allow && { [allowIdentityChangeKey]: "true" }),
    ...(confirmsTrial && { [metadataKeys.confirmTrial]: "true" }),
  };
  return { signal: invocation.signal, metadata };
}

/** Tells what the nodes made of it. */
export function reportApplied(
  session: Session,
  { io }: Invocation,
  messages: readonly Pick<ApplyConfiguration, "warnings" | "modeDetails">[],
): void {
  for (const { warnings, modeDetails } of messages) {
    for (const warning of warnings) session.warn(warning);
    if (modeDetails !== "") io.err(`${modeDetails}\n`);
  }
}
