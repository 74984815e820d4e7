import { describeError, OsError, systemClock, within, type Clock } from "@talos-ts/base";
import { Code } from "@talos-ts/proto/common/common";
import {
  PhaseEvent_Action,
  PhaseEventSchema,
  SequenceEvent_Action,
  SequenceEventSchema,
  TaskEvent_Action,
  TaskEventSchema,
} from "@talos-ts/proto/machine/event";
import type { EventBus } from "../events/event-bus.ts";
import type { MachineTraits, Phase, SequenceName, SequenceRequest, TaskName } from "../sequence.ts";
import { planSequence } from "./sequences.ts";
import { canTakeOver } from "./take-over.ts";

export interface TaskContext {
  readonly signal: AbortSignal;
  readonly request: SequenceRequest;
  readonly log: (message: string) => void;
}

export type Task = (context: TaskContext) => Promise<void>;

export interface SequencerOptions {
  readonly events: EventBus;
  readonly traits: () => MachineTraits;
  readonly tasks: Readonly<Record<TaskName, Task>>;
  readonly log: (message: string) => void;
  readonly clock?: Clock;
}

export interface Sequencer {
  /**
   * Runs a sequence to its end. While another one runs, it is replaced if the take-over table allows (or `takeOver` forces) it.
   * @throws locked
   */
  run(name: SequenceName, request?: SequenceRequest, options?: { readonly takeOver?: boolean }): Promise<void>;
  readonly running: SequenceName | undefined;
}

/** How long a replaced sequence gets to end. */
const takeOverPatienceMs = 60_000;

interface Running {
  readonly name: SequenceName;
  readonly abort: AbortController;
  readonly over: Promise<void>;
}

export function createSequencer(options: SequencerOptions): Sequencer {
  const { events, log, clock = systemClock } = options;
  let current: Running | undefined;

  function duration(startedMs: number): string {
    const ms = clock.monotonic() - startedMs;
    return ms < 1000 ? `${String(Math.round(ms))}ms` : `${(ms / 1000).toFixed(1)}s`;
  }

  async function runTask(name: TaskName, place: string, context: TaskContext): Promise<void> {
    const started = clock.monotonic();
    events.publish(TaskEventSchema, { task: name, action: TaskEvent_Action.START }, context.request.actorId);
    log(`task ${name} ${place}: starting`);
    try {
      await options.tasks[name](context);
      log(`task ${name} ${place}: done, ${duration(started)}`);
    } catch (err) {
      log(`task ${name} ${place}: failed: ${describeError(err)}`);
      throw new OsError({
        kind: "internal",
        code: "sequence/task-failed",
        message: `task "${name}" failed: ${describeError(err)}`,
        cause: err,
      });
    } finally {
      events.publish(TaskEventSchema, { task: name, action: TaskEvent_Action.STOP }, context.request.actorId);
    }
  }

  async function runPhase(phase: Phase, place: string, context: TaskContext): Promise<void> {
    const started = clock.monotonic();
    events.publish(PhaseEventSchema, { phase: phase.name, action: PhaseEvent_Action.START }, context.request.actorId);
    log(`phase ${phase.name} ${place}: ${String(phase.tasks.length)} tasks(s)`);
    try {
      const count = String(phase.tasks.length);
      const settled = await Promise.allSettled(
        phase.tasks.map((task, index) => runTask(task, `(${String(index + 1)}/${count})`, context)),
      );
      const failed = settled.find((result) => result.status === "rejected");
      if (failed !== undefined) throw failed.reason;
      log(`phase ${phase.name} ${place}: done, ${duration(started)}`);
    } finally {
      events.publish(PhaseEventSchema, { phase: phase.name, action: PhaseEvent_Action.STOP }, context.request.actorId);
    }
  }

  async function execute(name: SequenceName, request: SequenceRequest, signal: AbortSignal): Promise<void> {
    const started = clock.monotonic();
    const phases = planSequence(name, options.traits(), request);
    events.publish(SequenceEventSchema, { sequence: name, action: SequenceEvent_Action.START }, request.actorId);
    log(`${name} sequence: ${String(phases.length)} phase(s)`);
    try {
      for (const [index, phase] of phases.entries()) {
        if (signal.aborted) throw new OsError({ kind: "cancelled", message: "sequence was taken over by another one" });
        await runPhase(phase, `(${String(index + 1)}/${String(phases.length)})`, { signal, request, log });
      }
      log(`${name} sequence: done: ${duration(started)}`);
      events.publish(SequenceEventSchema, { sequence: name, action: SequenceEvent_Action.STOP }, request.actorId);
    } catch (err) {
      log(`${name} sequence: failed: ${describeError(err)}`);
      const error = { message: describeError(err), code: Code.FATAL };
      events.publish(
        SequenceEventSchema,
        { sequence: name, action: SequenceEvent_Action.NOOP, error },
        request.actorId,
      );
      throw err;
    }
  }

  async function clearTheWay(busy: Running, name: SequenceName, forced: boolean, actorId?: string): Promise<void> {
    if (!forced && !canTakeOver(busy.name, name)) {
      const error = { message: "sequence not started: locked", code: Code.LOCKED };
      events.publish(SequenceEventSchema, { sequence: name, action: SequenceEvent_Action.NOOP, error }, actorId);
      throw new OsError({
        kind: "failed-precondition",
        code: "sequence/locked",
        message: "sequence not started: locked",
        details: { running: busy.name, asked: name },
        next: "talosctl events --tail 20",
      });
    }
    const { abort, over, name: old } = busy;
    abort.abort();
    const ended = over.catch(() => undefined);
    if (!(await within(ended, takeOverPatienceMs, clock)).late) return;
    throw new OsError({
      kind: "deadline-exceeded",
      code: "sequence/take-over-timeout",
      message: `Cannot start sequence "${name}": "${old}" did not end within ${String(takeOverPatienceMs / 1000)} s`,
    });
  }

  return {
    get running() {
      return current?.name;
    },
    async run(name, request = {}, { takeOver = false } = {}) {
      // Asked again after each wait: someone else may have started in the meantime.
      for (let busy = current; busy !== undefined; busy = current)
        await clearTheWay(busy, name, takeOver, request.actorId);
      const abort = new AbortController();
      const over = execute(name, request, abort.signal);
      const mine = { name, abort, over };
      current = mine;
      try {
        await over;
      } finally {
        if (current === mine) current = undefined;
      }
    },
  };
}
