import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, type ManualClock } from "@talos-ts/base";
import { condition } from "../conditions/condition.ts";
import { inProcessRunner } from "../runners/in-process.ts";
import { restartRunner } from "../runners/restart.ts";
import type { Runner } from "../runner.ts";
import { createServiceManager, type ServiceManager } from "./service-manager.ts";
import type { Service } from "../service.ts";

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** A service that runs until it is stopped. */
function service(id: string, more: Partial<Service> = {}): Service {
  const main = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  return { id, runner: () => inProcessRunner({ id, main }), ...more };
}

function setUp(): { readonly clock: ManualClock; readonly manager: ServiceManager } {
  const clock = createManualClock();
  return { clock, manager: createServiceManager({ clock }) };
}

function history(manager: ServiceManager, id: string): string[] {
  return manager.get(id).events.map((event) => `${event.state}: ${event.message}`);
}

describe("createServiceManager()", () => {
  it("walks a service through its states with the known texts", async () => {
    const { manager } = setUp();
    manager.load(service("a"));
    manager.start("a");
    await settle();
    await manager.stop("a");
    assert.deepEqual(history(manager, "a"), [
      "starting: Starting service",
      "preparing: Running pre state",
      "preparing: Creating service runner",
      "running: Service started as goroutine",
      "stopping: Service stopping",
      "finished: Service finished successfully",
    ]);
  });

  it("waits for dependencies and own condition, naming what is missing", async () => {
    const { manager, clock } = setUp();
    const gate = Promise.withResolvers<void>();
    manager.load(service("b", { dependsOn: ["a"], condition: condition("time sync", () => gate.promise) }));
    manager.start("b");
    await settle();
    assert.equal(manager.get("b").events.at(-1)?.message, 'Waiting for service "a" to be registered, time sync');
    manager.load(service("a"));
    await clock.advance(1000);
    assert.equal(manager.get("b").events.at(-1)?.message, 'Waiting for service "a" to be "up", time sync');
    gate.resolve();
    await settle();
    await clock.advance(1000);
    assert.equal(manager.get("b").events.at(-1)?.message, 'Waiting for service "a" to be "up"');
    manager.start("a");
    await settle();
    assert.equal(manager.get("b").state, "running");
    await manager.shutdown();
  });

  it("counts a service as up only when its health check passes", async () => {
    const { manager, clock } = setUp();
    let healthy = false;
    const check = async (): Promise<void> => {
      if (!healthy) throw new Error("dial failed");
    };
    manager.load(service("a", { health: { check } }), service("b", { dependsOn: ["a"] }));
    manager.start("a", "b");
    await settle();
    await clock.advance(1000);
    await settle();
    assert.equal(manager.get("a").events.at(-1)?.message, "Health check failed: dial failed");
    assert.equal(manager.get("b").state, "waiting");
    healthy = true;
    await clock.advance(5000);
    await settle();
    assert.equal(manager.get("a").events.at(-1)?.message, "Health check successful");
    assert.equal(manager.get("b").state, "running");
    await manager.shutdown();
    assert.equal(manager.get("a").health.message, "service not running");
  });

  it("asks a service that was restarted often again, until it is well", async () => {
    const { manager, clock } = setUp();
    const ends: (() => void)[] = [];
    const run = (): Runner => ({
      describe: () => "Test(a)",
      async run(report) {
        report("running", "Started");
        await new Promise<void>((resolve) => void ends.push(resolve));
      },
    });
    const health = { settings: { initialDelayMs: 5000, periodMs: 60_000 }, check: async () => undefined };
    manager.load({ id: "a", runner: () => restartRunner(run, { policy: "forever", intervalMs: 1000, clock }), health });
    manager.start("a");
    await settle();
    await clock.advance(200);
    assert.equal(manager.get("a").health.healthy, true);
    ends[0]?.();
    await settle();
    assert.equal(manager.get("a").health.message, "service not running");
    await clock.advance(1000);
    await settle();
    await clock.advance(200);
    assert.equal(manager.get("a").health.healthy, true);
    const stopped = manager.stop("a");
    ends[1]?.();
    await stopped;
    assert.equal(clock.sleeping, 0);
  });

  it("stops dependents first", async () => {
    const { manager } = setUp();
    const order: string[] = [];
    const finished = (id: string) => ({
      finished: async (): Promise<void> => {
        order.push(id);
      },
    });
    manager.load(service("a", finished("a")), service("b", { ...finished("b"), dependsOn: ["a"] }));
    manager.load(service("c", { ...finished("c"), dependsOn: ["b"] }), service("d", finished("d")));
    manager.start("a", "b", "c", "d");
    await settle();
    await manager.stopWithDependents("a");
    assert.deepEqual(order, ["c", "b", "a"]);
    assert.equal(manager.get("d").state, "running");
    await manager.shutdown();
  });

  it("reports a failing service with its error, and a skipped one", async () => {
    const { manager } = setUp();
    const failing: Runner = { describe: () => "Failing", run: () => Promise.reject(new Error("no such image")) };
    manager.load({ id: "bad", runner: () => failing }, { id: "none", runner: () => undefined });
    manager.start("bad", "none");
    await settle();
    assert.equal(history(manager, "bad").at(-1), "failed: No such image");
    assert.equal(history(manager, "none").at(-1), "skipped: Service skipped");
    assert.ok(!manager.get("bad").up);
    assert.ok(manager.get("none").up);
  });

  it("refuses API operations that a service does not allow", async () => {
    const { manager } = setUp();
    manager.load(service("etcd"), service("kubelet", { api: ["start", "restart"] }));
    await assert.rejects(manager.operate("etcd", "stop"), {
      message: `service "etcd" doesn't support stop operation via API`,
    });
    await assert.rejects(manager.operate("nope", "start"), { message: `service "nope" not defined` });
    assert.equal(await manager.operate("kubelet", "restart"), `Service "kubelet" restarted`);
    await settle();
    assert.equal(manager.get("kubelet").state, "running");
    await manager.shutdown();
  });
});

describe("restartRunner()", () => {
  it("starts a failing runner again after a pause until it is stopped", async () => {
    const clock = createManualClock();
    const manager = createServiceManager({ clock });
    let runs = 0;
    const failing: Runner = {
      describe: () => "Process([x])",
      run: () => {
        runs += 1;
        return Promise.reject(new Error("exit code 1"));
      },
    };
    manager.load({ id: "x", runner: () => restartRunner(() => failing, { policy: "forever", clock }) });
    manager.start("x");
    await settle();
    assert.equal(
      history(manager, "x").at(-1),
      "waiting: Error running Process([x]), going to restart forever: exit code 1",
    );
    await clock.advance(5000);
    assert.equal(runs, 2);
    await manager.stop("x");
    assert.equal(history(manager, "x").at(-2), "stopping: Aborting restart sequence");
  });
});
