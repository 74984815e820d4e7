import { MachineService } from "@talos-ts/proto/machine/machine";
import { RebootRequest_Mode as Mode } from "@talos-ts/proto/machine/power";
import type { CommandDefinition, Invocation } from "../command.ts";
import { recordAction } from "../operation/record-action.ts";
import { parseDuration } from "../output/go-duration.ts";
import { createNodeProgress, progressOption } from "../output/node-progress.ts";
import { rebootNode } from "../rolling/reboot-node.ts";
import { checkRollingFlags, runRolling } from "../rolling/run-rolling.ts";
import { drainNodes, takeBackMs } from "../session/drain-nodes.ts";
import { openSession, type Session } from "../session/session.ts";
import { trackAction, trackOptions } from "../session/track-action.ts";
import { flag, textOption } from "../values.ts";

const modes: Readonly<Record<string, Mode>> = {
  default: Mode.DEFAULT,
  powercycle: Mode.POWERCYCLE,
  force: Mode.FORCE,
};

export const command: CommandDefinition = {
  description:
    "Reboots machines, all that are named at once. --rolling reboots one after the other: each is drained first, the whole cluster must be healthy before and after each, and a control plane stays up unless every other member of etcd works. After Ctrl-C or a failure, run the same command again: nodes that are done are left alone.",
  options: [
    {
      flags: "-m, --mode <mode>",
      description: "powercycle goes through the firmware, force skips the end of services",
      choices: Object.keys(modes),
      default: "default",
    },
    { flags: "--drain", description: "cordon the Kubernetes node and evict its pods first; implies --wait" },
    { flags: "--drain-timeout <duration>", description: "how long pods may take to go", default: "5m" },
    {
      flags: "--rolling",
      description:
        "reboot one node after the other, in a healthy cluster; implies --drain, and --timeout is for each node",
    },
    progressOption,
    ...trackOptions,
  ],
  examples: [
    "talosctl reboot",
    "talosctl reboot --drain --nodes 10.5.0.3",
    "talosctl reboot --rolling --nodes 10.5.0.2,10.5.0.3,10.5.0.4",
    "talosctl reboot --wait=false",
  ],
  async run(invocation) {
    await using session = await openSession(invocation);
    using progress = createNodeProgress(invocation);
    if (flag(invocation, "rolling")) {
      checkRollingFlags(invocation, "reboot", {});
      await runRolling(session, invocation, rebootNode(modeOf(invocation)), progress.tell);
      return;
    }
    if (!flag(invocation, "drain")) {
      await reboot(session, invocation, progress.tell);
      return;
    }
    await rebootDrained(session, invocation, progress.tell);
  },
};

/** Time to take the cordon back, and for the answers before nodes are followed, in ms. */
const besideMs = 120_000;

async function rebootDrained(
  session: Session,
  invocation: Invocation,
  tell: (node: string, text: string) => void,
): Promise<void> {
  const drainMs = parseDuration(textOption(invocation, "drainTimeout") ?? "5m");
  const timeoutMs = parseDuration(textOption(invocation, "timeout") ?? "30m");
  using drained = new DisposableStack();
  let uncordon = async (): Promise<void> => undefined;
  const steps = [
    {
      name: "drain",
      run: async () => {
        const limit = AbortSignal.any([invocation.signal, AbortSignal.timeout(drainMs)]);
        const nodes = drained.use(await drainNodes(session, limit, tell));
        uncordon = () => nodes.uncordon(AbortSignal.timeout(takeBackMs));
      },
    },
    { name: "reboot", run: () => reboot(session, invocation, tell) },
  ];
  try {
    await recordAction(session, invocation, {
      kind: "reboot",
      steps,
      timeoutMs: drainMs + timeoutMs + besideMs,
      erases: false,
    });
  } finally {
    await uncordon();
  }
}

async function reboot(
  session: Session,
  invocation: Invocation,
  tell: (node: string, text: string) => void,
): Promise<void> {
  const request = { mode: modeOf(invocation) };
  await trackAction(session, invocation, {
    name: "reboot",
    until: "ready",
    wait: flag(invocation, "drain"),
    tell,
    start: () =>
      session.answers("executing reboot", session.all(MachineService).reboot(request, { signal: invocation.signal })),
  });
}

function modeOf(invocation: Invocation): Mode {
  return modes[textOption(invocation, "mode") ?? "default"] ?? Mode.DEFAULT;
}
