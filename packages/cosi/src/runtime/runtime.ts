import { systemClock, type BackoffOptions, type Clock } from "@talos-ts/base";
import type { Controller, Input, Logger, QueueController, QueueInput } from "../controller.ts";
import type { State } from "../state.ts";
import { createControllerDriver } from "./controller-driver.ts";
import { createDependencies } from "./dependencies.ts";
import { alreadyStarted, duplicateController } from "./errors.ts";
import type { DependencyEdge } from "./graph.ts";
import type { Driver, Host } from "./host.ts";
import { createKindMap } from "./kind-map.ts";
import { createQueueDriver } from "./queue-driver.ts";
import { createStatusBoard } from "./status-board.ts";
import type { ControllerStatus } from "./status.ts";
import { createTurnstile } from "./turnstile.ts";
import { createWatchHub } from "./watch-hub.ts";
import { createDeadlineWatch } from "./watch-deadlines.ts";

/** Settings of a controller runtime. */
export interface RuntimeOptions {
  readonly state: State;
  readonly logger: Logger;
  /** @default {systemClock} */
  readonly clock?: Clock;
  /** Delays between restarts of a controller, and between attempts at an item of a queue. */
  readonly backoff?: BackoffOptions;
  /** A reconcile that takes longer is marked in the status and logged; it is not ended. @default none */
  readonly reconcileDeadlineMs?: number;
  /** Time that `stop` waits for controllers. @default {30_000} */
  readonly stopTimeoutMs?: number;
}

/** Runs controllers over one state. Disposing stops it. */
export interface Runtime extends AsyncDisposable {
  /**
   * Adds controllers; those added to a started runtime start at once.
   * @throws {OsError} when a name or an output is taken, or something is declared twice
   */
  register(...controllers: readonly (Controller | QueueController)[]): void;
  start(): void;
  /** Asks all controllers to stop and waits for them, but not for ever. */
  stop(): Promise<StopReport>;
  status(): readonly ControllerStatus[];
  statusOf(name: string): ControllerStatus | undefined;
  /** All statuses, then those that changed; ends with the signal. */
  followStatus(signal?: AbortSignal): AsyncIterable<readonly ControllerStatus[]>;
  dependencies(): readonly DependencyEdge[];
}

/** Describes what a runtime left behind when it stopped. */
export interface StopReport {
  /** Controllers that were still at work when the time was over. They can no longer touch the state. */
  readonly stuck: readonly string[];
}

interface Subscription {
  readonly driver: Driver;
  readonly input: Input | QueueInput;
}

/** Creates a runtime; controllers are registered before `start`. */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { state, logger, clock = systemClock, backoff = {}, reconcileDeadlineMs, stopTimeoutMs = 30_000 } = options;
  const board = createStatusBoard();
  const dependencies = createDependencies();
  const drivers = new Map<string, Driver>();
  const runs = new Map<string, Promise<void>>();
  const subscriptions = createKindMap<readonly Subscription[]>();
  const stopping = new AbortController();
  const hubStopping = new AbortController();
  const deadlines = createDeadlineWatch({ board, clock, logger, signal: stopping.signal });
  let started = false;
  let stopped: Promise<StopReport> | undefined;

  const hub = createWatchHub({
    state,
    logger,
    clock,
    backoff,
    deliver(kind, changes) {
      for (const { driver, input } of subscriptions.get(kind.namespace, kind.type) ?? []) {
        for (const change of changes) {
          if (input.id === undefined || input.id === change.resource.metadata.id) driver.changed(change, input);
        }
      }
    },
  });

  const host: Host = {
    state,
    hub,
    turnstile: createTurnstile(),
    board,
    clock,
    logger,
    backoff,
    reconcileDeadlineMs,
    updateInputs(name, inputs) {
      dependencies.replaceInputs(name, inputs);
      const driver = drivers.get(name);
      if (driver !== undefined) subscribe(driver, inputs);
    },
  };

  function subscribe(driver: Driver, inputs: readonly (Input | QueueInput)[]): void {
    for (const { kind } of hub.all()) {
      const others = (subscriptions.get(kind.namespace, kind.type) ?? []).filter((other) => other.driver !== driver);
      subscriptions.set(kind, others);
    }
    for (const input of inputs) {
      hub.ensure(input);
      const present = subscriptions.get(input.namespace, input.type) ?? [];
      subscriptions.set(input, [...present, { driver, input }]);
    }
  }

  function launch(driver: Driver): void {
    deadlines.include(driver.deadlineMs);
    const run = driver.run(stopping.signal).finally(() => runs.delete(driver.name));
    runs.set(driver.name, run);
  }

  function add(controller: Controller | QueueController): void {
    const { name, inputs, outputs } = controller;
    if (drivers.has(name)) throw duplicateController(name);
    dependencies.register(name, inputs, outputs);
    const driver = "run" in controller ? createControllerDriver(controller, host) : createQueueDriver(controller, host);
    drivers.set(name, driver);
    subscribe(driver, inputs);
    if (started && stopped === undefined) launch(driver);
  }

  async function stopAll(): Promise<StopReport> {
    stopping.abort();
    const limit = new AbortController();
    const all = Promise.all(runs.values()).then(() => limit.abort());
    await Promise.race([all, clock.sleep(stopTimeoutMs, limit.signal).catch(() => undefined)]);
    const stuck = [...runs.keys()];
    for (const name of stuck) {
      drivers.get(name)?.abandon();
      logger.warn("controller did not stop", { controller: name });
    }
    hubStopping.abort();
    await hub.stopped();
    return { stuck };
  }

  const runtime: Runtime = {
    register(...controllers) {
      for (const controller of controllers) add(controller);
    },
    start() {
      if (started) throw alreadyStarted();
      started = true;
      hub.start(hubStopping.signal);
      for (const driver of drivers.values()) launch(driver);
    },
    stop: () => (stopped ??= stopAll()),
    status: () => board.all(),
    statusOf: (name) => board.one(name),
    followStatus: (signal) => board.follow(signal),
    dependencies: () => dependencies.edges(),
    async [Symbol.asyncDispose]() {
      await runtime.stop();
    },
  };
  return runtime;
}
