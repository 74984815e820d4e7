import { OsError } from "@talos-ts/base";
import { applyPatches, encodePreserving, loadConfig, loadPatches } from "@talos-ts/machinery/config";
import type { CommandDefinition } from "../command.ts";
import { checkMachineConfig, readMachineConfig } from "../session/machine-config.ts";
import { openSession } from "../session/session.ts";
import { listOption, textOption } from "../values.ts";
import { applyOptions, reportApplied } from "./apply-options.ts";
import { applyToNode } from "./apply-to-node.ts";

export const command: CommandDefinition = {
  description: "Changes the machine configuration of the nodes with patches.",
  arguments: [{ spec: "<type>", description: "machineconfig, or mc", choices: ["machineconfig", "mc"] }],
  options: [
    { flags: "-p, --patch <patch>", description: "patch, or @file", repeat: true },
    { flags: "--patch-file <path>", description: "file of a patch" },
    { flags: "--namespace <name>", description: "namespace of the resource", hidden: true },
    ...applyOptions,
  ],
  examples: [`talosctl patch mc -p '{"machine": {"sysctls": {"net.core.somaxconn": "8192"}}}'`],
  async run(invocation) {
    const { io } = invocation;
    checkMachineConfig(invocation.args[0] ?? "");
    const file = textOption(invocation, "patchFile");
    const texts = [...listOption(invocation, "patch"), ...(file === undefined ? [] : [`@${file}`])];
    if (texts.length === 0) throw noPatch();
    const patches = loadPatches(texts);
    await using session = await openSession(invocation);
    for (const node of session.targets) {
      const before = await readMachineConfig(session, node);
      const after = encodePreserving(applyPatches(loadConfig(before), patches));
      if (after.trim() === before.trim()) {
        io.err(`${node ?? session.defaultNode}: Apply was skipped: no changes detected.\n`);
        continue;
      }
      const messages = await applyToNode(session, invocation, { node, before, after });
      io.err(`patched MachineConfigs.config.talos.dev/v1alpha1 at the node ${node ?? session.defaultNode}\n`);
      reportApplied(session, invocation, messages);
    }
  },
};

const noPatch = (): OsError =>
  new OsError({
    kind: "invalid-argument",
    code: "cli/bad-request",
    message: "either --patch or --patch-file should be defined",
    next: "talosctl patch mc --patch @file",
  });
