import { createBackoff, describeError, type Backoff } from "@talos-ts/base";
import type { LogFields, Logger, QueueContext, QueueController } from "../controller.ts";
import type { Metadata, Pointer } from "../resource.ts";
import { createAccess } from "./access.ts";
import { RequeueAfter, SkipReconcile, TerminalError } from "./control.ts";
import { notPrimary } from "./errors.ts";
import { failureFields } from "./failure-fields.ts";
import { formatDuration } from "./duration.ts";
import type { Driver, Host } from "./host.ts";
import { createMonitor } from "./monitor.ts";
import { createReader, readOne } from "./reader.ts";
import type { Scope } from "./scope.ts";
import { createWorkQueue } from "./work-queue.ts";
import { createWriter } from "./writer.ts";

interface Job {
  readonly kind: "reconcile" | "map";
  readonly target: Pointer;
  /** Metadata of a changed mapped input. */
  readonly metadata?: Metadata;
}

/** Runs one queue controller: keeps its queue, and gives items that failed another chance. */
export function createQueueDriver(controller: QueueController, host: Host): Driver {
  const { name, inputs, concurrency = 1 } = controller;
  const { clock, turnstile, state, hub } = host;
  const logger = host.logger.with({ controller: name });
  const queue = createWorkQueue<Job>();
  const backoffs = new Map<string, Backoff>();
  const deadlineMs = controller.reconcileDeadlineMs ?? host.reconcileDeadlineMs;
  const monitor = createMonitor({
    name,
    model: "queue",
    clock,
    deadlineMs,
    queue: () => ({ ready: queue.ready, running: queue.running, delayed: queue.delayed }),
    changed: () => host.board.changed(name),
  });
  host.board.add(monitor);
  const access = createAccess(name, inputs, controller.outputs);
  const scope: Scope = { name, state, hub, turnstile, monitor, access, open: true };
  const primaries = inputs.filter((input) => input.kind === "primary");
  let pump = (): void => undefined;

  function put(job: Job): void {
    queue.put(jobKey(job), job);
    pump();
  }

  async function fill(): Promise<void> {
    for (const { namespace, type, id } of primaries) {
      const cache = hub.ensure({ namespace, type });
      if (cache.filling !== undefined) await cache.filling;
      const only = id === undefined ? undefined : await readOne(scope, namespace, type, id);
      const resources = id === undefined ? cache.list() : [only].filter((resource) => resource !== undefined);
      for (const { metadata } of resources) put({ kind: "reconcile", target: metadata });
      logger.debug("injected primary inputs into the queue", { count: resources.length, namespace, type });
    }
  }

  async function handle(job: Job, context: QueueContext): Promise<void> {
    if (job.kind === "reconcile") return controller.reconcile(context, job.target);
    const mapped = (await controller.mapInput?.(context, job.metadata as Metadata)) ?? [];
    for (const target of mapped) {
      const known = primaries.some(({ namespace, type }) => namespace === target.namespace && type === target.type);
      if (!known) throw notPrimary(name, target);
      put({ kind: "reconcile", target });
    }
  }

  /** Records the outcome of an item and gives the delay until its retry in ms; `undefined` for no retry. */
  function requeueDelay(key: string, thrown: unknown, log: Logger, busyMs: number): number | undefined {
    const fields: LogFields = { busy: formatDuration(busyMs) };
    const requeue = thrown instanceof RequeueAfter ? thrown : undefined;
    if (thrown instanceof SkipReconcile || (requeue !== undefined && !requeue.failed)) {
      backoffs.delete(key);
      log.debug("reconcile skipped", { reason: describeError(thrown), ...fields });
      return requeue?.delayMs;
    }
    const terminal = thrown instanceof TerminalError;
    const error = requeue !== undefined || terminal ? (thrown as Error).cause : thrown;
    monitor.itemFailed(error);
    if (terminal) {
      backoffs.delete(key);
      log.error("reconcile failed", { ...failureFields(error), terminal, ...fields });
      return undefined;
    }
    const backoff = backoffs.get(key) ?? createBackoff(host.backoff);
    backoffs.set(key, backoff);
    const delayMs = requeue?.delayMs ?? backoff.next();
    log.error("reconcile failed", { ...failureFields(error), interval: formatDuration(delayMs), ...fields });
    return delayMs;
  }

  async function work(key: string, job: Job, base: QueueContext): Promise<void> {
    const { namespace, type, id } = job.target;
    const log = logger.with({ namespace, type, id, job: job.kind });
    const started = clock.monotonic();
    monitor.began(job.target);
    let delayMs: number | undefined;
    try {
      await turnstile.pass();
      await handle(job, { ...base, logger: log });
      backoffs.delete(key);
      monitor.healthy();
      log.debug("reconcile succeeded", { busy: formatDuration(clock.monotonic() - started) });
    } catch (err) {
      if (!base.signal.aborted) delayMs = requeueDelay(key, err, log, clock.monotonic() - started);
    }
    monitor.ended();
    queue.release(key, job, delayMs === undefined ? undefined : clock.monotonic() + delayMs);
    if (queue.running === 0) monitor.waiting();
  }

  return {
    name,
    deadlineMs,
    changed({ resource: { metadata } }, input) {
      const { phase, finalizers } = metadata;
      if (input.kind === "primary") put({ kind: "reconcile", target: metadata });
      else if (input.kind === "mapped") put({ kind: "map", target: metadata, metadata });
      else if (phase === "tearingDown" && finalizers.length === 0) put({ kind: "map", target: metadata, metadata });
    },
    async run(signal) {
      const workers = new Set<Promise<void>>();
      const base: QueueContext = { ...createReader(scope), ...createWriter(scope, () => undefined), signal, logger };
      let timer = new AbortController();
      let armedFor: number | undefined;

      function arm(): void {
        const due = queue.nextDue();
        if (due === armedFor) return;
        armedFor = due;
        timer.abort();
        if (due === undefined || signal.aborted) return;
        timer = new AbortController();
        clock.sleep(Math.max(0, due - clock.monotonic()), timer.signal).then(
          () => {
            armedFor = undefined;
            pump();
          },
          () => undefined,
        );
      }

      function start(): void {
        while (!signal.aborted && workers.size < concurrency) {
          const item = queue.take(clock.monotonic());
          if (item === undefined) break;
          const worker = work(item.key, item.value, base).then(() => {
            workers.delete(worker);
            pump();
          });
          workers.add(worker);
        }
        arm();
      }

      logger.debug("controller starting");
      monitor.waiting();
      pump = start;
      await fill().catch((err: unknown) => {
        if (!signal.aborted) logger.error("error listing primary input", failureFields(err));
      });
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener("abort", () => resolve(), { once: true });
      });
      timer.abort();
      await Promise.all(workers);
      scope.open = false;
      logger.debug("controller finished");
      monitor.ends("stopped");
    },
    abandon() {
      scope.open = false;
    },
  };
}

function jobKey({ kind, target }: Job): string {
  return `${kind}\0${target.namespace}\0${target.type}\0${target.id}`;
}
