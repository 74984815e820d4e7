import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeError, OsError } from "@talos-ts/base";
import type { CommandDefinition, Io, Invocation } from "../command.ts";
import { checkMachineConfig, readMachineConfig } from "../session/machine-config.ts";
import { openSession, type Session } from "../session/session.ts";
import { withNotes, withoutNotes } from "./edit-notes.ts";
import { applyOptions, reportApplied } from "./apply-options.ts";
import { applyToNode, isNotConfirmed } from "./apply-to-node.ts";

export const command: CommandDefinition = {
  description:
    "Opens the machine configuration of each node in an editor ($TALOS_EDITOR, $EDITOR or vi) and sends it back.",
  arguments: [{ spec: "<type>", description: "machineconfig, or mc", choices: ["machineconfig", "mc"] }],
  options: [{ flags: "--namespace <name>", description: "namespace of the resource", hidden: true }, ...applyOptions],
  examples: ["talosctl edit mc -n 10.5.0.2", "talosctl edit mc --dry-run -n 10.5.0.2"],
  async run(invocation) {
    checkMachineConfig(invocation.args[0] ?? "");
    await using session = await openSession(invocation);
    for (const node of session.targets) await editNode(session, invocation, node);
  },
};

/** Until the node takes the configuration, or the person gives up by changing nothing. */
async function editNode(session: Session, invocation: Invocation, node: string | undefined): Promise<void> {
  const { io, signal } = invocation;
  const name = node ?? session.defaultNode;
  const original = await readMachineConfig(session, node);
  let text = original;
  let problem: string | undefined;
  for (;;) {
    const notes = [`Editing MachineConfigs.config.talos.dev/v1alpha1 at node ${name}`, ...(problem?.split("\n") ?? [])];
    const edited = withoutNotes(await editText(io, withNotes(text, notes), signal), notes);
    if (edited.trim() === "") return io.err("Apply was skipped: empty file.\n");
    if (edited === original) return io.err("Apply was skipped: no changes detected.\n");
    if (problem !== undefined && edited === text) {
      const message = `Edit canceled, the node does not take this configuration: ${problem}`;
      throw new OsError({ kind: "failed-precondition", code: "cli/edit-canceled", message });
    }
    text = edited;
    try {
      const messages = await applyToNode(session, invocation, { node, before: original, after: edited });
      return reportApplied(session, invocation, messages);
    } catch (err) {
      signal.throwIfAborted();
      // Another try from an editor would only take longer: the node goes back by itself.
      if (isNotConfirmed(err)) throw err;
      problem = describeError(err);
    }
  }
}

/** The secrets of a configuration are on the disk only while the editor runs, for its user alone. */
async function editText(io: Io, text: string, signal: AbortSignal): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "talosctl-edit-"));
  try {
    const path = join(folder, "machineconfig.yaml");
    await writeFile(path, text, { mode: 0o600 });
    await runEditor(io, path, signal);
    return await readFile(path, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runEditor({ env }: Io, path: string, signal: AbortSignal): Promise<void> {
  const [program = "vi", ...args] = (env["TALOS_EDITOR"] ?? env["EDITOR"] ?? "vi").split(" ");
  const child = spawn(program, [...args, path], { stdio: "inherit", signal });
  const status = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
  if (status === 0) return;
  const message = `The editor "${program}" ended with status ${status}; nothing was sent`;
  throw new OsError({ kind: "aborted", code: "cli/editor-failed", message });
}
