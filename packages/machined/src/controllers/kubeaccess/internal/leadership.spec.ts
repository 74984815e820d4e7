import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createManualClock } from "@talos-ts/base";
import { createRecordingLogger } from "@talos-ts/cosi/conformance";
import { mutexNames, type WithMutex } from "../../../etcd/mutex.ts";
import { createLeadership } from "./leadership.ts";

function setUp() {
  const clock = createManualClock();
  const leases: AbortController[] = [];
  let wakeUps = 0;
  const withMutex: WithMutex = async (_name, signal, work) => {
    const lease = new AbortController();
    leases.push(lease);
    return await work(AbortSignal.any([signal, lease.signal]));
  };
  const context = {
    logger: createRecordingLogger(),
    signal: new AbortController().signal,
    queueReconcile: () => void (wakeUps += 1),
  };
  const leadership = createLeadership(context, { clock, withMutex }, mutexNames.serviceAccounts);
  return { clock, leases, leadership, wakeUps: () => wakeUps };
}

describe("createLeadership()", () => {
  it("is held while the lock is, and is won again after its lease was lost", async () => {
    const { clock, leases, leadership, wakeUps } = setUp();
    leadership.set(true);
    leadership.set(true);
    await setImmediate();
    const first = leadership.held;
    assert.deepEqual([first?.aborted, leases.length, wakeUps()], [false, 1, 1]);

    leases[0]?.abort();
    await setImmediate();
    assert.deepEqual([first?.aborted, leadership.held === undefined, wakeUps()], [true, true, 2]);
    await clock.advance(15_000);
    await setImmediate();
    assert.deepEqual([leadership.held?.aborted, leases.length], [false, 2]);
    await leadership[Symbol.asyncDispose]();
  });

  it("is given back when it is not wanted any more", async () => {
    const { clock, leases, leadership } = setUp();
    leadership.set(true);
    await setImmediate();
    const { held } = leadership;
    leadership.set(false);
    await setImmediate();
    assert.deepEqual([held?.aborted, leadership.held], [true, undefined]);
    await clock.advance(60_000);
    assert.equal(leases.length, 1);
    await leadership[Symbol.asyncDispose]();
  });
});
