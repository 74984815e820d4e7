import { OsError, systemClock, within, type Clock } from "@talos-ts/base";
import type { Condition } from "../conditions/condition.ts";
import type { Service, ServiceOperation } from "../service.ts";
import { ServiceUnit } from "./service-unit.ts";

/** Longest time that one service may take to stop before the next is stopped anyway. */
const stopTimeoutMs = 30_000;

export interface ManagerOptions {
  readonly clock?: Clock;
  /** Access to volumes: the condition that they are mounted, and giving them back once the service is over. */
  readonly volumes?: {
    condition(service: string, volumes: readonly string[]): Condition;
    release(service: string, volumes: readonly string[]): Promise<void>;
  };
}

/** Holds every service of the machine, with start order and dependencies. */
export interface ServiceManager {
  /** Makes services known without starting them; a known id is left alone. */
  load(...services: readonly Service[]): void;
  /** Resolves once a service is known. */
  loaded(id: string, signal: AbortSignal): Promise<void>;
  /** Stops and forgets services. */
  unload(...ids: readonly string[]): Promise<void>;
  start(...ids: readonly string[]): void;
  /** Stops services; the others go on, even those that depend on them. */
  stop(...ids: readonly string[]): Promise<void>;
  /** Stops services after those that depend on them. */
  stopWithDependents(...ids: readonly string[]): Promise<void>;
  /** Stops everything, dependents first; nothing can be started afterwards. */
  shutdown(): Promise<void>;
  /** @throws not found */
  get(id: string): ServiceUnit;
  list(): readonly ServiceUnit[];
  /** Does what the API was asked to do, if the service allows it; resolves to the text for the user. */
  operate(id: string, operation: ServiceOperation): Promise<string>;
  /** Calls back on every change of state or health. */
  listen(listener: (unit: ServiceUnit) => void): Disposable;
  /** Holds while the service is up (or, for `down`, once it is not). */
  upCondition(id: string): Condition;
}

export function createServiceManager(options: ManagerOptions = {}): ServiceManager {
  const { clock = systemClock } = options;
  const units = new Map<string, ServiceUnit>();
  const listeners = new Set<(unit: ServiceUnit) => void>();
  const registered = new Set<() => void>();
  let closed = false;

  function listen(listener: (unit: ServiceUnit) => void): Disposable {
    listeners.add(listener);
    return { [Symbol.dispose]: () => void listeners.delete(listener) };
  }

  function notDefined(id: string): OsError {
    return new OsError({
      kind: "not-found",
      code: "service/not-defined",
      message: `service "${id}" not defined`,
      next: "talosctl services",
    });
  }

  function get(id: string): ServiceUnit {
    const unit = units.get(id);
    if (unit === undefined) throw notDefined(id);
    return unit;
  }

  /** Resolves once the test holds; it is made again at every change of a service and with every new one. */
  function until(test: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cleanup = new DisposableStack();
      const check = (): void => {
        if (!test()) return;
        cleanup.dispose();
        resolve();
      };
      const aborted = (): void => {
        cleanup.dispose();
        reject(new OsError({ kind: "cancelled", message: "context canceled" }));
      };
      cleanup.use(listen(check));
      registered.add(check);
      cleanup.defer(() => registered.delete(check));
      signal.addEventListener("abort", aborted, { once: true });
      cleanup.defer(() => signal.removeEventListener("abort", aborted));
      if (signal.aborted) aborted();
      else check();
    });
  }

  function upCondition(id: string): Condition {
    return {
      describe: () => `service "${id}" to be ${units.has(id) ? '"up"' : "registered"}`,
      wait: (signal) => until(() => units.get(id)?.up === true, signal),
    };
  }

  function before(service: Service): readonly Condition[] {
    const volumes = service.volumes ?? [];
    const mounted =
      volumes.length === 0 || options.volumes === undefined ? [] : [options.volumes.condition(service.id, volumes)];
    return [...mounted, ...(service.dependsOn ?? []).map(upCondition)];
  }

  function dependents(ids: readonly string[]): readonly string[] {
    const all = new Set(ids);
    for (let grew = true; grew;) {
      grew = false;
      for (const unit of units.values()) {
        if (all.has(unit.service.id)) continue;
        if (!(unit.service.dependsOn ?? []).some((id) => all.has(id))) continue;
        all.add(unit.service.id);
        grew = true;
      }
    }
    return [...all];
  }

  /** Each service stops once everything that depends on it has stopped, or after a while all the same. */
  async function stopInOrder(ids: readonly string[]): Promise<void> {
    const stopped = new Map<string, Promise<void>>();
    const stopOne = (id: string): Promise<void> => {
      const known = stopped.get(id);
      if (known !== undefined) return known;
      const users = ids.filter((other) => units.get(other)?.service.dependsOn?.includes(id) === true);
      const started = (async () => {
        await within(Promise.all(users.map(stopOne)), stopTimeoutMs, clock);
        await units.get(id)?.stop();
      })();
      stopped.set(id, started);
      return started;
    };
    await Promise.all(ids.map(stopOne));
  }

  const manager: ServiceManager = {
    load(...services) {
      for (const service of services) {
        if (units.has(service.id)) continue;
        const changed = (unit: ServiceUnit): void => {
          for (const listener of listeners) listener(unit);
        };
        const after = async (): Promise<void> => options.volumes?.release(service.id, service.volumes ?? []);
        units.set(service.id, new ServiceUnit({ service, clock, before: () => before(service), after, changed }));
      }
      for (const check of registered) check();
    },
    loaded: (id, signal) => until(() => units.has(id), signal),
    async unload(...ids) {
      await manager.stop(...ids);
      for (const id of ids) units.delete(id);
    },
    start(...ids) {
      if (closed) return;
      for (const id of ids) get(id).start();
    },
    async stop(...ids) {
      await Promise.all(ids.map(async (id) => units.get(id)?.stop()));
    },
    stopWithDependents: (...ids) => stopInOrder(dependents(ids)),
    async shutdown() {
      closed = true;
      await stopInOrder([...units.keys()]);
    },
    get,
    list: () => [...units.values()].toSorted((a, b) => (a.service.id < b.service.id ? -1 : 1)),
    async operate(id, operation) {
      const unit = get(id);
      if (!(unit.service.api ?? []).includes(operation)) {
        throw new OsError({
          kind: "failed-precondition",
          code: "service/operation-refused",
          message: `service "${id}" doesn't support ${operation} operation via API`,
          next: "talosctl services",
        });
      }
      if (operation !== "start") await unit.stop();
      if (operation !== "stop") unit.start();
      return `Service "${id}" ${operationTexts[operation]}`;
    },
    listen,
    upCondition,
  };
  return manager;
}

const operationTexts: Record<ServiceOperation, string> = { start: "started", stop: "stopped", restart: "restarted" };
