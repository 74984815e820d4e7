import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { OsError } from "@talos-ts/base";
import { mergeKubeconfig, type ConflictDecision, type MergeOptions } from "@talos-ts/kubernetes";
import { ask, canAsk } from "../ask.ts";
import type { CommandDefinition, Invocation, Io } from "../command.ts";
import { defaultKubeconfigPath } from "../kubeconfig-path.ts";
import { downloadKubeconfig } from "../session/download-kubeconfig.ts";
import { checkOneNode } from "../session/one-node.ts";
import { openSession } from "../session/session.ts";
import { flag, textOption } from "../values.ts";
import { writeNewFile } from "../write-file.ts";

export const command: CommandDefinition = {
  description:
    "Downloads a kubeconfig for an administrator from a control plane node and merges it into the default one ($KUBECONFIG, else ~/.kube/config), or into the file given. With --merge=false it is written to a file of its own.",
  arguments: [{ spec: "[local-path]", description: "file or folder, or - for the output (with --merge=false)" }],
  options: [
    { flags: "-f, --force", description: "overwrite the file, or entries of the same name when merging" },
    { flags: "--force-context-name <name>", description: "name of the context when merging" },
    { flags: "-m, --merge", description: "merge with the existing kubeconfig", default: true },
  ],
  examples: ["talosctl kubeconfig --nodes 10.5.0.2", "talosctl kubeconfig --merge=false ./kubeconfig"],
  async run(invocation) {
    const { io, signal, args } = invocation;
    const merge = flag(invocation, "merge");
    const force = flag(invocation, "force");
    if (!merge && args[0] === "-") {
      io.out(await fetchFrom(invocation));
      return;
    }
    const path = await localPath(args[0] ?? (merge ? defaultKubeconfigPath(io) : "."));
    const present = await readFile(path, "utf8").catch((err: NodeJS.ErrnoException) => {
      if (err.code === "ENOENT") return undefined;
      throw err;
    });
    if (present !== undefined && !merge && !force) throw alreadyThere(path);
    const fetched = await fetchFrom(invocation);
    if (!merge) {
      await writeNewFile(path, fetched, { force });
      return;
    }
    const contextName = textOption(invocation, "forceContextName");
    const text = await mergeKubeconfig(present ?? "", fetched, {
      onConflict: conflictHandler(io, force, signal),
      onRename: (component, from, to) => io.err(`renamed ${titles[component]} ${quote(from)} -> ${quote(to)}\n`),
      ...(contextName !== undefined && { contextName }),
    });
    await writeNewFile(path, text, { force: true });
  },
};

const titles = { cluster: "cluster", user: "auth", context: "context" } as const;
const quote = (text: string): string => JSON.stringify(text);

async function fetchFrom(invocation: Invocation): Promise<string> {
  await using session = await openSession(invocation);
  checkOneNode(session, "kubeconfig");
  return await downloadKubeconfig(session, invocation.signal);
}

/** A folder stands for the file `kubeconfig` in it. */
async function localPath(given: string): Promise<string> {
  const path = resolve(given);
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true ? join(path, "kubeconfig") : path;
}

/** Without a person to ask, entries are renamed: nothing is lost. */
function conflictHandler(io: Io, force: boolean, signal: AbortSignal): MergeOptions["onConflict"] {
  return async (component, name) => {
    if (force) return "overwrite";
    if (!canAsk(io)) return "rename";
    return await askDecision(io, `${titles[component]} ${quote(name)} already exists`, signal);
  };
}

const answers: Readonly<Record<string, ConflictDecision>> = {
  o: "overwrite",
  overwrite: "overwrite",
  r: "rename",
  rename: "rename",
};

/** Asks until the answer is one of both; input that ends stands for the one that loses nothing. */
async function askDecision(io: Io, question: string, signal: AbortSignal): Promise<ConflictDecision> {
  for (;;) {
    const answer = await ask(io, `${question} [(r)ename/(o)verwrite]: `, signal);
    const decision = answer === undefined ? "rename" : answers[answer.trim().toLowerCase()];
    if (decision !== undefined) return decision;
  }
}

function alreadyThere(path: string): OsError {
  return new OsError({
    kind: "already-exists",
    code: "cli/file-exists",
    message: `kubeconfig file already exists, use --force to overwrite: ${quote(path)}`,
    next: "talosctl kubeconfig --merge=false --force",
  });
}
