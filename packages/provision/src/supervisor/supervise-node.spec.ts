import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, type ManualClock } from "@talos-ts/base";
import type { ExitStatus } from "@talos-ts/linux";
import type { Death } from "@talos-ts/machinery/power-record";
import { planCluster } from "../cluster-plan.ts";
import type { NodeStatus } from "../provisioner.ts";
import { superviseNode, type SupervisedProvisioner } from "./supervise-node.ts";

const plan = planCluster({ name: "a" }, "/clusters");
const node = plan.nodes[0] ?? assert.fail("a plan has nodes");

const killed: ExitStatus = { exitCode: undefined, signal: 9 };

/** A node that dies and is started again without a container. */
function scene() {
  const clock = createManualClock();
  const abort = new AbortController();
  const deaths: Death[] = [];
  const lines: string[] = [];
  let status: NodeStatus = { state: "running", pid: 1 };
  let off = false;
  let locked: Promise<void> = Promise.resolve();
  let end = Promise.withResolvers<ExitStatus | undefined>();
  const provisioner: SupervisedProvisioner = {
    nodeStatus: async () => status,
    wasShutDown: async () => off,
    deathEvidence: async () => ({ outOfMemory: false, memoryLimitBytes: 0, console: "" }),
    lastDeath: async () => deaths.at(-1),
    recordDeath: async (_plan, _node, death) => void deaths.push(death),
    restartNode: async () => {
      end = Promise.withResolvers();
      status = { state: "running", pid: status.pid + 1 };
    },
  };
  const done = superviseNode(plan, node, {
    provisioner,
    clock,
    signal: abort.signal,
    log: (line) => void lines.push(line),
    lock: async () => {
      await locked;
      return { async [Symbol.asyncDispose]() {} };
    },
    exit: (_pid, signal) =>
      Promise.race([
        end.promise,
        new Promise<never>((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
        ),
      ]),
  });
  done.catch(() => undefined);
  return {
    clock,
    deaths,
    lines,
    pid: () => status.pid,
    die: (next: NodeStatus["state"] = "stopped", how: ExitStatus | undefined = killed) => {
      status = { ...status, state: next };
      end.resolve(how);
    },
    shutDown: () => void (off = true),
    remove: () => void (status = { state: "absent", pid: 0 }),
    lockUntil: (until: Promise<void>) => void (locked = until),
    stop: async () => {
      abort.abort(new Error("enough"));
      await assert.rejects(done, /enough/);
    },
  };
}

/** Lets everything happen that waits for no time. */
async function settle(clock: ManualClock): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await clock.advance(0);
}

describe("superviseNode()", () => {
  it("starts a node again that died, and keeps the reason", async () => {
    const { clock, deaths, pid, die, stop } = scene();
    await settle(clock);
    die();
    await settle(clock);
    assert.equal(pid(), 1);
    await clock.advance(1000);
    await settle(clock);
    assert.equal(pid(), 2);
    assert.deepEqual(deaths, [
      {
        time: "1970-01-01T00:00:00.000Z",
        reason: "killed by SIGKILL",
        count: 1,
        restartAt: "1970-01-01T00:00:01.000Z",
      },
    ]);
    await stop();
  });

  it("waits twice as long after each death, up to a minute, and not at all after a long run", async () => {
    const { clock, deaths, die, pid, stop } = scene();
    await settle(clock);
    const delays = async (): Promise<number> => {
      die();
      await settle(clock);
      const { time, restartAt } = deaths.at(-1) ?? { time: "", restartAt: "" };
      const delay = Date.parse(restartAt) - Date.parse(time);
      await clock.advance(delay);
      await settle(clock);
      return delay / 1000;
    };
    const seen: number[] = [];
    for (let death = 0; death < 8; death += 1) seen.push(await delays());
    assert.deepEqual(seen, [1, 2, 4, 8, 16, 32, 60, 60]);
    await clock.advance(120_000);
    assert.equal(await delays(), 1);
    assert.equal(pid(), 10);
    assert.equal(deaths.at(-1)?.count, 9);
    await stop();
  });

  it("leaves a node down that was shut down", async () => {
    const { clock, deaths, die, pid, shutDown, stop } = scene();
    await settle(clock);
    shutDown();
    die("stopped", { exitCode: 0, signal: undefined });
    await settle(clock);
    await clock.advance(120_000);
    await settle(clock);
    assert.equal(pid(), 1);
    assert.deepEqual(deaths, []);
    await stop();
  });

  it("leaves a node alone that somebody removed while it waited for the lock", async () => {
    const { clock, die, pid, remove, lockUntil, stop } = scene();
    const { promise, resolve } = Promise.withResolvers<void>();
    lockUntil(promise);
    await settle(clock);
    die();
    await settle(clock);
    await clock.advance(1000);
    remove();
    resolve();
    await settle(clock);
    assert.equal(pid(), 0);
    await stop();
  });
});
