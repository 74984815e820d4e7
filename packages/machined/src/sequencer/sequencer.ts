import { describeError, formatGoDuration, OsError, within, type Clock } from "@talos-ts/base";
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
import type {
  MachineTraits,
  Phase,
  SequenceName,
  Sequencer,
  SequenceRequest,
  Task,
  TaskContext,
  TaskName,
} from "../sequence.ts";
import { planSequence } from "./sequences.ts";
import { canTakeOver } from "./take-over.ts";

export interface SequencerOptions {
  readonly events: EventBus;
  /** Asked when a sequence is to start. */
  readonly traits: () => Promise<MachineTraits>;
  readonly tasks: Readonly<Record<TaskName, Task>>;
  readonly log: (message: string) => void;
  readonly clock: Clock;
}

/** Time for a replaced sequence to end, in ms. */
const takeOverTimeoutMs = 60_000;

interface Running {
  readonly name: SequenceName;
  readonly abort: AbortController;
  readonly over: Promise<void>;
}

export function createSequencer(options: SequencerOptions): Sequencer {
  const { events, log, clock } = options;
  let current: Running | undefined;

  function duration(startedMs: number): string {
    return formatGoDuration(BigInt(Math.round(clock.monotonic() - startedMs)) * 1_000_000n);
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

  async function execute(
    name: SequenceName,
    phases: readonly Phase[],
    request: SequenceRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const started = clock.monotonic();
    events.publish(SequenceEventSchema, { sequence: name, action: SequenceEvent_Action.START }, request.actorId);
    log(`${name} sequence: ${String(phases.length)} phase(s)`);
    try {
      for (const [index, phase] of phases.entries()) {
        if (signal.aborted) throw new OsError({ kind: "cancelled", message: "sequence was taken over by another one" });
        await runPhase(phase, `(${String(index + 1)}/${String(phases.length)})`, { signal, request, log, sequencer });
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

  async function endRunning(busy: Running, name: SequenceName, forced: boolean, actorId?: string): Promise<void> {
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
    if (!(await within(ended, takeOverTimeoutMs, clock)).late) return;
    throw new OsError({
      kind: "deadline-exceeded",
      code: "sequence/take-over-timeout",
      message: `Cannot start sequence "${name}": "${old}" did not end within ${String(takeOverTimeoutMs / 1000)} s`,
    });
  }

  const sequencer: Sequencer = {
    get running() {
      return current?.name;
    },
    async run(name, request = {}, { takeOver = false } = {}) {
      const phases = planSequence(name, await options.traits(), request);
      // Checked again after each wait: another one may have started in the meantime.
      for (let busy = current; busy !== undefined; busy = current)
        await endRunning(busy, name, takeOver, request.actorId);
      const abort = new AbortController();
      const over = execute(name, phases, request, abort.signal);
      const mine = { name, abort, over };
      current = mine;
      try {
        await over;
      } finally {
        if (current === mine) current = undefined;
      }
    },
  };
  return sequencer;
}
