import { describeError, OsError, type Clock } from "@talos-ts/base";
import { allOf, type Condition } from "../conditions/condition.ts";
import { runHealthCheck, type HealthStatus } from "./health.ts";
import type { Runner } from "../runner.ts";
import type { Service } from "../service.ts";
import type { ServiceState } from "../service-state.ts";

export interface ServiceEvent {
  readonly state: ServiceState;
  readonly message: string;
  readonly atMs: number;
}

/** Events kept per service. */
const historySize = 64;

export interface UnitOptions {
  readonly service: Service;
  readonly clock: Clock;
  /** Conditions that the manager adds: volumes and dependencies. */
  readonly before: () => readonly Condition[];
  /** Gives back what the manager had to provide. */
  readonly after?: () => Promise<void>;
  /** Told of every change of state or health. */
  readonly changed: (unit: ServiceUnit) => void;
}

/**
 * One service and its life: starting → waiting → preparing → running → finished | failed | skipped.
 *
 * A unit can be started again when it is over; each start has its own abort signal.
 */
export class ServiceUnit {
  readonly service: Service;
  readonly #options: UnitOptions;
  #events: ServiceEvent[] = [];
  #state: ServiceState = "initialized";
  #health: HealthStatus;
  #abort: AbortController | undefined;
  #healthLoop: AbortController | undefined;
  #running: Promise<void> | undefined;
  #runner: Runner | undefined;

  constructor(options: UnitOptions) {
    this.service = options.service;
    this.#options = options;
    this.#health = { healthy: undefined, message: "Unknown", lastChangeMs: options.clock.now() };
  }

  get state(): ServiceState {
    return this.#state;
  }
  get health(): HealthStatus {
    return this.#health;
  }
  get events(): readonly ServiceEvent[] {
    return this.#events;
  }
  /** Reports whether it was started and is not over. */
  get active(): boolean {
    return this.#running !== undefined;
  }

  /** Others may go on: it runs and is well, or it is over without failure. */
  get up(): boolean {
    if (this.#state === "skipped" || this.#state === "finished") return true;
    return this.#state === "running" && (this.service.health === undefined || this.#health.healthy === true);
  }

  /** Starts the service; does nothing while it is active. */
  start(): void {
    if (this.#running !== undefined) return;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#running = this.#live(signal).finally(() => {
      this.#running = undefined;
    });
  }

  /** Stops the service and waits for its end. */
  async stop(): Promise<void> {
    this.#abort?.abort();
    await this.#running;
  }

  /** Resolves when the present run is over. */
  async over(): Promise<void> {
    await this.#running;
  }

  /** Adds a line to the history, as a runner does. */
  report(state: ServiceState, message: string): void {
    const entered = this.#state !== "running" && state === "running";
    const left = this.#state === "running" && state !== "running";
    this.#state = state;
    const atMs = this.#options.clock.now();
    this.#events.push({ state, message, atMs });
    if (this.#events.length > historySize) this.#events = this.#events.slice(-historySize);
    if (left) {
      this.#healthLoop?.abort();
      this.#health = { healthy: undefined, message: "service not running", lastChangeMs: atMs };
    }
    if (entered) this.#watchHealth();
    this.#options.changed(this);
  }

  async #live(signal: AbortSignal): Promise<void> {
    let outcome: ServiceState = "finished";
    try {
      this.report("starting", "Starting service");
      await this.#wait(signal);
      this.report("preparing", "Running pre state");
      await this.service.prepare?.(signal, (message) => this.report("preparing", message));
      this.report("preparing", "Creating service runner");
      const runner = this.service.runner();
      if (runner === undefined) {
        outcome = "skipped";
      } else {
        this.#runner = runner;
        await runner.run((state, message) => this.report(state, message), signal);
      }
      await this.#finish(outcome);
      this.report(outcome, outcome === "skipped" ? "Service skipped" : "Service finished successfully");
    } catch (err) {
      // A service stopped while it still waited or prepared did what it was told: that is no failure.
      outcome = signal.aborted ? "finished" : "failed";
      const text = describeError(err);
      const message = signal.aborted ? "Service finished successfully" : text.charAt(0).toUpperCase() + text.slice(1);
      await this.#finish(outcome).catch(() => undefined);
      this.report(outcome, message);
    }
  }

  async #finish(outcome: ServiceState): Promise<void> {
    await this.service.finished?.(outcome);
    await this.#options.after?.();
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const own = this.service.condition === undefined ? [] : [this.service.condition];
    const all = allOf(...this.#options.before(), ...own);
    const waiting = all.wait(signal);
    waiting.catch(() => undefined);
    const done = waiting.then(() => true);
    let shown = "";
    for (;;) {
      const text = all.describe();
      if (text !== "" && text !== shown) {
        shown = text;
        this.report("waiting", `Waiting for ${text}`);
      }
      const pause = new AbortController();
      const tick = this.#options.clock.sleep(1000, pause.signal).then(
        () => false,
        () => true,
      );
      const finished = await Promise.race([done, tick]);
      pause.abort();
      if (finished) break;
    }
    await waiting;
    if (signal.aborted) throw new OsError({ kind: "cancelled", message: "context canceled" });
  }

  /** Checks health for as long as the service runs; one that was restarted is asked often again, as one that just started. */
  #watchHealth(): void {
    const { health } = this.service;
    if (health === undefined) return;
    const loop = new AbortController();
    this.#healthLoop = loop;
    /** Failures in a row since it was well; `undefined` before it was. */
    let failures: number | undefined;
    const report = (healthy: boolean, message: string): void => {
      if (loop.signal.aborted) return;
      if (healthy) failures = 0;
      else if (failures !== undefined) failures += 1;
      if (failures !== undefined && failures === health.restartAfterFailures) {
        this.report("running", `Killing the service: ${String(failures)} health checks in a row failed`);
        this.#runner?.interrupt?.();
      }
      if (this.#health.healthy === healthy && this.#health.message === message) return;
      const turned = this.#health.healthy !== healthy;
      this.#health = { healthy, message, lastChangeMs: this.#options.clock.now() };
      if (turned) this.report("running", healthy ? "Health check successful" : `Health check failed: ${message}`);
      else this.#options.changed(this);
    };
    void runHealthCheck(health, report, this.#options.clock, loop.signal);
  }
}
