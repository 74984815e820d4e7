import { OsError } from "@talos-ts/base";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { ResetRequest_WipeMode as Mode } from "@talos-ts/proto/machine/power";
import type { CommandDefinition } from "../command.ts";
import { recordAction } from "../operation/record-action.ts";
import { parseDuration } from "../output/go-duration.ts";
import { resetNode } from "../rolling/reset-node.ts";
import { checkRollingFlags, runRolling } from "../rolling/run-rolling.ts";
import { openSession } from "../session/session.ts";
import { trackAction, trackOptions } from "../session/track-action.ts";
import { flag, listOption, textOption } from "../values.ts";

const modes: Readonly<Record<string, Mode>> = {
  all: Mode.ALL,
  "system-disk": Mode.SYSTEM_DISK,
  "user-disks": Mode.USER_DISKS,
};

/** Time for the answers before the nodes are followed, in ms. */
const answerMs = 60_000;

export const command: CommandDefinition = {
  description:
    "Erases a machine: it leaves the cluster, its disks are wiped, and it goes down. Several machines are erased at once; --rolling erases one after the other: the whole cluster must be healthy before and after each, and the last control plane is refused. After Ctrl-C or a failure, run the same command again.",
  options: [
    { flags: "--graceful", description: "move pods away and leave etcd first", default: true },
    { flags: "--reboot", description: "start again afterwards instead of going down" },
    { flags: "--wipe-mode <mode>", description: "which disks to wipe", choices: Object.keys(modes), default: "all" },
    { flags: "--user-disks-to-wipe <list>", description: "devices to wipe", list: true },
    {
      flags: "--system-labels-to-wipe <list>",
      description: "wipe only these partitions of the system disk",
      list: true,
    },
    {
      flags: "--rolling",
      description: "erase one node after the other, in a healthy cluster; --timeout is for each node",
    },
    { flags: "--insecure", description: "use the API of a machine in maintenance mode" },
    ...trackOptions,
  ],
  examples: ["talosctl reset -n 10.5.0.3", "talosctl reset --system-labels-to-wipe EPHEMERAL --reboot -n 10.5.0.3"],
  async run(invocation) {
    const insecure = flag(invocation, "insecure");
    if (insecure && flag(invocation, "wait")) {
      throw new OsError({
        kind: "invalid-argument",
        code: "cli/bad-request",
        message: "cannot use --wait and --insecure together",
        next: "talosctl reset --insecure --wait=false",
      });
    }
    await using session = await openSession(invocation, { insecure });
    const request = {
      graceful: flag(invocation, "graceful"),
      reboot: flag(invocation, "reboot"),
      mode: modes[textOption(invocation, "wipeMode") ?? "all"] ?? Mode.ALL,
      userDisksToWipe: [...listOption(invocation, "userDisksToWipe")],
      systemPartitionsToWipe: listOption(invocation, "systemLabelsToWipe").map((label) => ({ label, wipe: true })),
    };
    if (flag(invocation, "rolling")) {
      checkRollingFlags(invocation, "reset", { "--insecure": insecure, "--graceful=false": !request.graceful });
      const tell = (node: string, text: string): void => invocation.io.err(`${node}: ${text}\n`);
      await runRolling(session, invocation, resetNode(request), tell);
      return;
    }
    const reset = async (): Promise<void> => {
      await trackAction(session, invocation, {
        name: "reset",
        until: request.reboot ? "back" : "down",
        start: () =>
          session.answers("executing reset", session.all(MachineService).reset(request, { signal: invocation.signal })),
      });
    };
    if (insecure || !flag(invocation, "wait")) {
      await reset();
      return;
    }
    const timeoutMs = parseDuration(textOption(invocation, "timeout") ?? "30m");
    await recordAction(session, invocation, {
      kind: "reset",
      steps: [{ name: "erase", run: reset }],
      timeoutMs: timeoutMs + answerMs,
      erases: true,
    });
  },
};
