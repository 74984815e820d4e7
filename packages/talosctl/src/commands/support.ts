import { stat } from "node:fs/promises";
import { OsError } from "@talos-ts/base";
import { openResources } from "@talos-ts/machinery/client/resources";
import { Info } from "@talos-ts/machinery/resources/cluster";
import type { CommandDefinition, Invocation } from "../command.ts";
import { confirm } from "../confirm.ts";
import { openSession, type Session } from "../session/session.ts";
import { writeBundle } from "../support/write-bundle.ts";
import { integerOption, textOption } from "../values.ts";

export const command: CommandDefinition = {
  description:
    "Collects what helps to find out what is wrong into one zip file: logs of the kernel, of services and of the pods of kube-system, " +
    "resources without secrets, events, processes, mounts, and objects of Kubernetes. Open index.html in it first: it shows what was wrong " +
    "first, the state of all services, diagnostics, and one timeline of all nodes.",
  options: [
    { flags: "-O, --output <file>", description: "file to write (default: support-<cluster>.zip)" },
    { flags: "-w, --num-workers <number>", description: "files collected at once from each node", default: "2" },
    { flags: "-v, --verbose", description: "tell of every file" },
    { flags: "-f, --force", description: "replace a file that is there without asking" },
  ],
  examples: [
    "talosctl support --nodes 10.5.0.2,10.5.0.3",
    "talosctl support --nodes 10.5.0.2 --output support.zip --force",
  ],
  async run(invocation) {
    const workers = integerOption(invocation, "numWorkers") ?? 2;
    await using session = await openSession(invocation);
    const name = await clusterName(session);
    const output = textOption(invocation, "output") ?? `support${name === "" ? "" : `-${name}`}.zip`;
    await checkOutput(invocation, output);
    await writeBundle(session, invocation, { output, name, workers });
  },
};

/** Name of the cluster; empty when the first node does not tell it. */
async function clusterName(session: Session): Promise<string> {
  const resources = openResources(session.connection, session.targets[0], [Info]);
  return await resources.get(Info, Info.id).then(
    ({ spec }) => spec.clusterName,
    () => "",
  );
}

async function checkOutput({ io, signal, options }: Invocation, output: string): Promise<void> {
  if (options["force"] === true || (await stat(output).catch(() => undefined)) === undefined) return;
  const question = `${output} already exists, overwrite?`;
  if (await confirm(io, { question, unasked: "talosctl support --force", signal })) return;
  throw new OsError({
    kind: "cancelled",
    code: "cli/declined",
    message: "operation aborted",
    next: "talosctl support --force",
  });
}
