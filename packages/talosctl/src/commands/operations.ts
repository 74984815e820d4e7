import { describeError, isKind, OsError, systemClock } from "@talos-ts/base";
import type { Resource } from "@talos-ts/cosi";
import { openResources } from "@talos-ts/machinery/client/resources";
import { Operation, type OperationSpec } from "@talos-ts/machinery/resources/runtime";
import type { CommandDefinition, Invocation } from "../command.ts";
import { printRecords, recordFormatOption, type Column } from "../output/records.ts";
import { openSession, type Session } from "../session/session.ts";
import { flag } from "../values.ts";

type Row = OperationSpec & { readonly node: string; readonly id: string };

const columns: readonly Column<Row>[] = [
  ["NODE", ({ node }) => node],
  ["ID", ({ id }) => id],
  ["KIND", ({ kind }) => kind],
  ["STATE", ({ state }) => state],
  ["PROGRESS", ({ done, steps }) => `${String(done)}/${String(steps.length)}`],
  ["STEP", ({ step }) => step],
  ["STARTED", ({ started }) => started],
];

export const command: CommandDefinition = {
  description:
    "Lists long work on a cluster that nodes remember, also of other clients: upgrade-k8s, rotate-ca, reboot, shutdown and reset, with steps, progress and result. Work of a client is kept by the node it was told to use. --watch follows one operation, by default the last, until it ends, also over lost connections, and fails when it failed.",
  arguments: [{ spec: "[id]", description: "id of an operation, or how it begins" }],
  options: [
    recordFormatOption,
    { flags: "-w, --watch", description: "follow an operation until it ends; the exit code is that of the operation" },
  ],
  examples: ["talosctl operations", "talosctl operations --watch", "talosctl operations 5f0c -o yaml"],
  async run(invocation) {
    await using session = await openSession(invocation);
    if (flag(invocation, "watch")) {
      await follow(invocation, session);
      return;
    }
    const rows: Row[] = [];
    for (const target of session.targets) rows.push(...(await list(invocation, session, target)));
    await printRecords(invocation, columns, rows);
  },
};

async function list({ args }: Invocation, session: Session, target: string | undefined): Promise<readonly Row[]> {
  const [prefix = ""] = args;
  const found = await openResources(session.connection, target, [Operation]).list(Operation);
  return found
    .filter(({ metadata }) => metadata.id.startsWith(prefix))
    .toSorted((a, b) => (a.spec.started < b.spec.started ? -1 : 1))
    .map(({ metadata, spec }) => Object.assign({ node: target ?? session.defaultNode, id: metadata.id }, spec));
}

const retryMs = 1000;

/** Follows the newest operation that fits, until it ends. While the node does not answer, it is asked again. */
async function follow(invocation: Invocation, session: Session): Promise<void> {
  const { io, signal } = invocation;
  const [target] = session.targets;
  const last = (await list(invocation, session, target)).at(-1);
  if (last === undefined) throw none(invocation.args[0]);
  const resources = openResources(session.connection, target, [Operation]);
  let told = "";
  let away = "";
  for (;;) {
    try {
      const operation = await resources.get(Operation, last.id);
      const line = describe(operation);
      if (line !== told) io.out(`${line}\n`);
      told = line;
      away = "";
      const { state, error, next, kind } = operation.spec;
      if (state === "done") return;
      if (state !== "running") throw ended(kind, state, error, next);
    } catch (err) {
      if (signal.aborted) return;
      if (err instanceof OsError && err.code === "operation/ended") throw err;
      if (isKind(err, "not-found")) throw none(last.id);
      if (isOver(last)) throw unknown(last, err);
      const reason = describeError(err);
      if (reason !== away) io.err(`waiting for ${last.node}: ${reason}\n`);
      away = reason;
    }
    await systemClock.sleep(retryMs, signal).catch(() => undefined);
    if (signal.aborted) return;
  }
}

function describe({ spec }: Resource<OperationSpec>): string {
  const { kind, title, state, step, done, steps } = spec;
  const progress = `${String(done)}/${String(steps.length)}`;
  return [kind, title, state, progress, step].filter((part) => part !== "").join("  ");
}

function isOver({ deadline, updated }: Row): boolean {
  const end = deadline === "" ? Date.parse(updated) + 30 * 60_000 : Date.parse(deadline);
  return Date.now() > end;
}

function ended(kind: string, state: string, error: string, next: string): OsError {
  return new OsError({
    kind: "aborted",
    code: "operation/ended",
    message: `${kind} ${state === "lost" ? "was given up" : "failed"}: ${error}`,
    next: next === "" ? `talosctl ${kind}` : next,
  });
}

function unknown({ kind, id, node }: Row, cause: unknown): OsError {
  return new OsError({
    kind: "unknown",
    code: "operation/unknown",
    message: `Cannot tell how ${kind} (${id}) ended: ${node} does not answer, and its time is over: ${describeError(cause)}`,
    next: `talosctl --nodes ${node} operations ${id}`,
    cause,
  });
}

function none(id: string | undefined): OsError {
  return new OsError({
    kind: "not-found",
    code: "operation/none",
    message: id === undefined ? "There is no operation to follow" : `There is no operation ${JSON.stringify(id)}`,
    next: "talosctl operations",
  });
}
