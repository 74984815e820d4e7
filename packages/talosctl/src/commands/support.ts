import { stat } from "node:fs/promises";
import { describeError, formatTable, OsError } from "@talos-ts/base";
import { openResources } from "@talos-ts/machinery/client/resources";
import { Info } from "@talos-ts/machinery/resources/cluster";
import type { CommandDefinition, Invocation } from "../command.ts";
import { confirm } from "../confirm.ts";
import { createNodeProgress } from "../output/node-progress.ts";
import { openSession, type Session } from "../session/session.ts";
import { clusterFiles } from "../support/cluster-files.ts";
import { collectFiles } from "../support/collect.ts";
import { renderIndexPage } from "../support/index-page.ts";
import { nodeFiles } from "../support/node-files.ts";
import { createFacts, type NodeFacts } from "../support/support-file.ts";
import { createZip, type ZipWriter } from "../support/zip-writer.ts";
import { flag, integerOption, textOption } from "../values.ts";

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
    const made = new Date();
    await using zip = await createZip(output, made);
    const cluster = createFacts("cluster");
    const nodes = await collectAll(invocation, session, zip, { workers, cluster });
    const page = renderIndexPage(nodes, { name: name === "" ? "the cluster" : name, made, facts: cluster });
    await zip.add("index.html", Buffer.from(page));
    await zip.end();
    tellErrors(invocation, [...nodes, cluster]);
    invocation.io.err(`Support bundle is written to ${output}\n`);
    if (nodes.every(({ version }) => version === "")) {
      throw new OsError({
        kind: "unavailable",
        code: "cli/no-node-answered",
        message: "no node answered: the bundle has only the errors",
        next: "talosctl doctor connection",
      });
    }
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

/** All nodes at once; one that does not answer leaves its error, and the others go on. */
async function collectAll(
  invocation: Invocation,
  session: Session,
  zip: ZipWriter,
  { workers, cluster }: { readonly workers: number; readonly cluster: NodeFacts },
): Promise<readonly NodeFacts[]> {
  const { signal, io } = invocation;
  using progress = createNodeProgress({ io, options: {} });
  const teller = (node: string) => (done: number, total: number, file: string) => {
    if (io.isTerminal || flag(invocation, "verbose") || done === total)
      progress.tell(node, `${String(done)}/${String(total)} ${done === total ? "collected" : file}`);
  };
  const collect = async (target: string | undefined): Promise<NodeFacts> => {
    const facts = createFacts(target ?? session.defaultNode);
    try {
      const files = await nodeFiles({ session, target, facts }, AbortSignal.any([signal, AbortSignal.timeout(30_000)]));
      await collectFiles(zip, files, facts, { folder: facts.node, workers, signal, progress: teller(facts.node) });
    } catch (err) {
      signal.throwIfAborted();
      facts.errors.push({ source: "node", message: describeError(err) });
      progress.tell(facts.node, describeError(err));
    }
    return facts;
  };
  const kubernetes = collectFiles(zip, clusterFiles(session, session.targets[0]), cluster, {
    folder: "cluster",
    workers,
    signal,
    progress: teller("cluster"),
  });
  const nodes = await Promise.all(session.targets.map(collect));
  await kubernetes;
  return nodes;
}

function tellErrors({ io }: Invocation, parts: readonly NodeFacts[]): void {
  const rows = parts.flatMap(({ node, errors }) =>
    errors.map(({ source, message }) => ["", node, source, message.split("\n")[0] ?? ""]),
  );
  if (rows.length > 0) io.err(`Processed with errors:\n${formatTable([["", "NODE", "SOURCE", "ERROR"], ...rows])}`);
}
