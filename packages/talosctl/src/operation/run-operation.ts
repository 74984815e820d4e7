import { randomUUID } from "node:crypto";
import { isKind, OsError, systemClock, timeLimit, type Clock } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { OperationService } from "@talos-ts/proto/operation/operation";
import type { Step } from "./step.ts";

/** Work of this client that nodes are told about. */
export interface OperationPlan {
  /** Name of the command. */
  readonly kind: string;
  /** Subject for people, as in `1.36.3 -> 1.36.4`. */
  readonly title: string;
  readonly steps: readonly Step[];
  /** Time for all steps, in ms. */
  readonly timeoutMs: number;
  /** Id of an operation that is continued. @default a new one */
  readonly id?: string;
  /** Command to run after it failed or was interrupted. @default `talosctl` and the kind */
  readonly command?: string;
  /** True when that command goes on where this call ended, which is told on Ctrl-C. @default {false} */
  readonly resumes?: boolean;
}

export interface RunOperationOptions {
  /** The way to the node that keeps the operation; asked for each report, as credentials may change meanwhile. */
  readonly connection: () => ApiConnection;
  /** Control plane node that keeps the operation; `undefined` for the endpoint itself. A function where it changes meanwhile. */
  readonly node: string | undefined | (() => string | undefined);
  readonly signal: AbortSignal;
  /** Aborted when the operation ends early, at its deadline too, so that nothing of a step goes on. @default steps are not told */
  readonly stop?: AbortController;
  /** Tells a person something beside the work. */
  readonly tell: (line: string) => void;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** Interval of reports while a step takes long, in ms. */
const reportEveryMs = 10_000;
const reportTimeoutMs = 5000;
/** The same after Ctrl-C: a person waits for it. */
const lastReportTimeoutMs = 2000;

type State = "running" | "done" | "failed";

/**
 * Runs the steps of an operation one after the other, and reports each to a node, so that others can see it with `talosctl operations`.
 * A report that cannot be made does not hold up the work: the node may be the one that is worked on.
 */
export async function runOperation(plan: OperationPlan, options: RunOperationOptions): Promise<void> {
  const { connection, tell, clock = systemClock } = options;
  const { id = randomUUID(), command = `talosctl ${plan.kind}` } = plan;
  const deadline = BigInt(Math.ceil((clock.now() + plan.timeoutMs) / 1000));
  const { kind, title } = plan;
  const steps = plan.steps.map(({ name }) => name);
  let done = 0;
  let known = true;
  const keeper = (): string | undefined => (typeof options.node === "function" ? options.node() : options.node);
  const report = async (state: State, { cause, ...call }: ReportOptions = {}): Promise<void> => {
    if (!known) return;
    const failure = cause === undefined ? {} : { error: cause.message };
    const next = state === "done" ? "" : (cause?.next ?? command);
    const node = keeper();
    const service = connection().service(OperationService, node === undefined ? undefined : { node });
    await service
      .report(
        { id, kind, title, steps, done, state, deadline, next, ...failure },
        { timeoutMs: reportTimeoutMs, ...call },
      )
      .catch((err: unknown) => {
        // A node of Talos, or of an older version, does not keep operations.
        if (isKind(err, "unimplemented")) known = false;
      });
  };

  using limit = timeLimit(plan.timeoutMs, { clock, signal: options.signal, reason: () => late(plan, command) });
  const over = new AbortController();
  const repeating = repeat(clock, over.signal, () => report("running", { signal: over.signal }));
  try {
    await report("running", { signal: limit.signal });
    const nodes = keeper() === undefined ? "" : ` --nodes ${keeper() ?? ""}`;
    if (known) tell(`operation ${id}, see talosctl${nodes} operations`);
    for (const step of plan.steps) {
      limit.signal.throwIfAborted();
      await limit.race(step.run());
      done += 1;
      await report("running", { signal: limit.signal });
    }
    over.abort();
    await repeating;
    await report("done");
  } catch (err) {
    over.abort();
    const isInterrupted = options.signal.aborted;
    const cause = isInterrupted ? interrupted(command) : OsError.from(err);
    if (isInterrupted && plan.resumes === true) tell(`interrupted; run the same command again to go on: ${command}`);
    options.stop?.abort(err);
    await repeating;
    await report("failed", { cause, ...(isInterrupted && { timeoutMs: lastReportTimeoutMs }) });
    throw err;
  }
}

interface ReportOptions {
  /** Why it failed. */
  readonly cause?: OsError;
  /** Gives the report up. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

async function repeat(clock: Clock, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await clock.sleep(reportEveryMs, signal);
    } catch {
      return;
    }
    await work();
  }
}

const interrupted = (next: string): OsError =>
  new OsError({ kind: "cancelled", message: "interrupted by the person who ran it", next });

const late = ({ kind, timeoutMs, resumes }: OperationPlan, command: string): OsError =>
  new OsError({
    kind: "deadline-exceeded",
    code: "operation/deadline",
    message: `${kind} did not end within ${String(Math.round(timeoutMs / 60_000))} min`,
    next: resumes === true ? `${command}, which goes on where it ended` : command,
  });
