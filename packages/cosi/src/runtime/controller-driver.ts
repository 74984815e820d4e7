import { createBackoff, describeError } from "@talos-ts/base";
import type { Controller, ControllerContext, Input, ReconcileEvent } from "../controller.ts";
import type { Pointer } from "../resource.ts";
import { createAccess } from "./access.ts";
import { RequeueAfter, SkipReconcile, TerminalError } from "./control.ts";
import { formatDuration } from "./duration.ts";
import { failureFields } from "./failure-fields.ts";
import type { Driver, Host } from "./host.ts";
import { createMonitor } from "./monitor.ts";
import { createOutputTracker } from "./output-tracker.ts";
import { createReader } from "./reader.ts";
import type { Scope } from "./scope.ts";
import { createWakeUp } from "./wake-up.ts";
import { createWriter } from "./writer.ts";

/** A reconcile that takes longer is worth merging with the next. */
const longReconcileMs = 0.2;

/** Runs one controller: wakes it on changes, and starts it again when it fails. */
export function createControllerDriver(controller: Controller, host: Host): Driver {
  const { name } = controller;
  const { clock, turnstile } = host;
  const logger = host.logger.with({ controller: name });
  const backoff = createBackoff(host.backoff);
  const wakeUp = createWakeUp();
  const deadlineMs = controller.reconcileDeadlineMs ?? host.reconcileDeadlineMs;
  const monitor = createMonitor({
    name,
    model: "controller",
    clock,
    deadlineMs,
    changed: () => host.board.changed(name),
  });
  host.board.add(monitor);
  let inputs: readonly Input[] = controller.inputs;
  let scope: Scope | undefined;
  let startedAt = clock.monotonic();
  /** Ends the wait for a reconcile that was asked for at a later time. */
  let timer = new AbortController();

  function reset(): void {
    backoff.reset();
    monitor.healthy();
  }

  /**
   * A controller that keeps waking itself must let everything else run in between. So should one whose reconcile is
   * long: meanwhile those before it in the pipeline finish, and one reconcile does for all their changes.
   */
  function mustYield(): boolean {
    return wakeUp.ownRequest || clock.monotonic() - startedAt > longReconcileMs;
  }

  function events(signal: AbortSignal): AsyncIterable<ReconcileEvent> {
    async function next(): Promise<IteratorResult<ReconcileEvent, undefined>> {
      monitor.ended();
      if (mustYield()) await turnstile.nextTurn();
      else await turnstile.pass();
      while (!signal.aborted) {
        const event = wakeUp.take();
        if (event !== undefined) {
          startedAt = clock.monotonic();
          monitor.began(event.cause);
          return { done: false, value: event };
        }
        monitor.waiting();
        await wakeUp.wait();
      }
      return { done: true, value: undefined };
    }
    // No `return`: leaving one loop over the events must not end the next.
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  function createContext(signal: AbortSignal, open: Scope): ControllerContext {
    const tracker = createOutputTracker(open);
    const writer = createWriter(open, (pointer: Pointer) => tracker.touch(pointer));
    return {
      ...createReader(open),
      ...writer,
      signal,
      logger,
      events: events(signal),
      queueReconcile(delayMs) {
        if (delayMs === undefined) return wakeUp.wake();
        timer.abort();
        timer = new AbortController();
        clock.sleep(delayMs, timer.signal).then(
          () => wakeUp.wake(),
          () => undefined,
        );
      },
      async updateInputs(next) {
        host.updateInputs(name, next);
        inputs = next;
        open.access = createAccess(name, next, controller.outputs);
      },
      resetRestartBackoff: reset,
      startTrackingOutputs: () => tracker.start(),
      async cleanupOutputs(...kinds) {
        await tracker.cleanup(writer, kinds);
        reset();
      },
    };
  }

  /** One run; resolves to what it threw. */
  async function attempt(signal: AbortSignal): Promise<{ readonly thrown?: unknown }> {
    const { state, hub } = host;
    const access = createAccess(name, inputs, controller.outputs);
    const open: Scope = { name, state, hub, turnstile, monitor, access, open: true };
    scope = open;
    logger.debug("controller starting");
    try {
      await controller.run(createContext(signal, open));
      return {};
    } catch (err) {
      return { thrown: err };
    } finally {
      timer.abort();
      monitor.ended();
      open.open = false;
    }
  }

  async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
    await clock.sleep(delayMs, signal).catch(() => undefined);
    wakeUp.wake();
  }

  async function fail(error: unknown, delayMs: number, signal: AbortSignal): Promise<void> {
    logger.error("controller failed", failureFields(error));
    monitor.failed(error, clock.now() + delayMs);
    logger.debug(`restarting controller in ${formatDuration(delayMs)}`);
    await pause(delayMs, signal);
    if (!signal.aborted) monitor.restarted();
  }

  /** Handles the end of a run, also one that threw; resolves to whether the controller runs again. */
  async function handleEnd(thrown: unknown, signal: AbortSignal): Promise<boolean> {
    if (thrown instanceof SkipReconcile) {
      logger.debug("reconcile skipped", { reason: describeError(thrown) });
      monitor.waiting();
      await wakeUp.wait();
    } else if (thrown instanceof RequeueAfter) {
      if (thrown.failed) await fail(thrown.cause, thrown.delayMs, signal);
      else {
        monitor.waiting();
        await pause(thrown.delayMs, signal);
      }
    } else if (thrown instanceof TerminalError) {
      logger.error("controller failed", { ...failureFields(thrown.cause), terminal: true });
      monitor.failed(thrown.cause, undefined);
      monitor.ends("failed");
      return false;
    } else {
      await fail(thrown, backoff.next(), signal);
    }
    return true;
  }

  return {
    name,
    deadlineMs,
    changed({ resource: { metadata } }, input) {
      const { phase, finalizers } = metadata;
      if (input.kind === "destroy-ready" && (phase !== "tearingDown" || finalizers.length > 0)) return;
      wakeUp.wake(metadata);
    },
    async run(signal) {
      signal.addEventListener("abort", () => wakeUp.interrupt(), { once: true });
      wakeUp.wake();
      while (!signal.aborted) {
        const end = await attempt(signal);
        if (signal.aborted) break;
        if (!("thrown" in end)) {
          logger.debug("controller finished");
          return monitor.ends("finished");
        }
        if (!(await handleEnd(end.thrown, signal))) return;
      }
      logger.debug("controller finished");
      monitor.ends("stopped");
    },
    abandon() {
      if (scope !== undefined) scope.open = false;
    },
  };
}
