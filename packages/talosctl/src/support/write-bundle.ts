import { describeError, formatTable, OsError } from "@talos-ts/base";
import type { Invocation } from "../command.ts";
import { createNodeProgress } from "../output/node-progress.ts";
import type { Session } from "../session/session.ts";
import { flag } from "../values.ts";
import { clusterFiles } from "./cluster-files.ts";
import { collectFiles } from "./collect.ts";
import { renderIndexPage } from "./index-page.ts";
import { nodeFiles } from "./node-files.ts";
import { redactPasswords } from "./redact.ts";
import { createFacts, type NodeFacts } from "./support-file.ts";
import { createZip, type ZipWriter } from "./zip-writer.ts";

export interface BundleOptions {
  /** File to write; one that exists is replaced. */
  readonly output: string;
  /** Name of the cluster; empty when nobody knows it. */
  readonly name: string;
  /** Files collected at once from each node. */
  readonly workers: number;
}

/**
 * Collects what helps to find out what is wrong from the nodes of a session.
 *
 * @throws {OsError} `cli/no-node-answered`, after the file was written with all errors
 */
export async function writeBundle(session: Session, invocation: Invocation, options: BundleOptions): Promise<void> {
  const { output, name, workers } = options;
  const made = new Date();
  await using zip = await createZip(output, made);
  const cluster = createFacts("cluster");
  const nodes = await collectAll(invocation, session, zip, { workers, cluster });
  const page = renderIndexPage(nodes, { name: name === "" ? "the cluster" : name, made, facts: cluster });
  await zip.add("index.html", redactPasswords(Buffer.from(page)));
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
