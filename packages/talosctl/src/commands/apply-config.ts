import { readFile } from "node:fs/promises";
import { OsError } from "@talos-ts/base";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { openSession, type Session } from "../session/session.ts";
import { flag, listOption, textOption } from "../values.ts";
import { applyCallOptions, applyOptions, applyRequest, reportApplied } from "./apply-options.ts";
import { applyToNode, needsTrial, type NodeChange } from "./apply-to-node.ts";
import { readMachineConfig } from "../session/machine-config.ts";

export const command: CommandDefinition = {
  description: "Sends a machine configuration to the nodes.",
  arguments: [{ spec: "[machineconfig]", description: "the word itself, for the form `apply machineconfig`" }],
  options: [
    { flags: "-f, --file <path>", description: "file of the configuration", required: true },
    { flags: "-i, --insecure", description: "use the API of a machine in maintenance mode" },
    { flags: "--cert-fingerprint <list>", description: "accept only a machine with one of these keys", list: true },
    { flags: "-p, --config-patch <patch>", description: "patch, or @file, to apply before it is sent", repeat: true },
    ...applyOptions,
  ],
  examples: [
    "talosctl apply-config -n 10.5.0.2 -f controlplane.yaml",
    "talosctl apply-config -i -n 10.5.0.4 -f worker.yaml",
  ],
  async run(invocation) {
    const config = await readPatched(textOption(invocation, "file") ?? "", listOption(invocation, "configPatch"));
    await using session = await openSession(invocation, {
      insecure: flag(invocation, "insecure"),
      fingerprints: listOption(invocation, "certFingerprint"),
    });
    const changes = flag(invocation, "insecure") ? [] : await readChanges(session, config);
    if (changes.some((change) => needsTrial(invocation, change))) {
      for (const change of changes) reportApplied(session, invocation, await applyToNode(session, invocation, change));
      return;
    }
    const call = session
      .all(MachineService)
      .applyConfiguration(applyRequest(invocation, config), applyCallOptions(invocation));
    reportApplied(session, invocation, await session.answers("applying new configuration", call));
  },
};

async function readPatched(path: string, patches: readonly string[]): Promise<string> {
  const text = await readFile(path, "utf8");
  if (text.trim() === "") {
    throw new OsError({
      kind: "invalid-argument",
      code: "cli/empty-file",
      message: `no configuration data read from ${JSON.stringify(path)}`,
    });
  }
  if (patches.length === 0) return text;
  const { applyPatches, encodePreserving, loadConfig, loadPatches } = await import("@talos-ts/machinery/config");
  return encodePreserving(applyPatches(loadConfig(text), loadPatches(patches)));
}

/** Returns what changes on each node; nothing when one of them cannot show its configuration. */
async function readChanges(session: Session, after: string): Promise<readonly NodeChange[]> {
  try {
    return await Promise.all(
      session.targets.map(async (node) => ({ node, before: await readMachineConfig(session, node), after })),
    );
  } catch {
    return [];
  }
}
