import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { proveFailover } from "./failover.ts";
import type { FaultContext } from "./fault.ts";
import { faults } from "./faults/index.ts";
import { loadRegressions, replay } from "./regressions.ts";
import { formatResult } from "./report.ts";
import { runFaults } from "./run-faults.ts";
import { startChaos, type Chaos } from "./start-chaos.ts";

/** Proofs that are given while a fault lasts. */
const proofs: Readonly<Record<string, (context: FaultContext) => Promise<void>>> = {
  "power-off-leader": proveFailover,
};

/** The short form: one fault of each manner. `npm run chaos` does all of them, many times. */
const short = ["power-off-leader", "cut-peers", "freeze-etcd", "kill-machined"];

/** Faults that take minutes: `npm run integration -- chaos/chaos --long` has them. */
const long = process.env["TEST_LONG"] === undefined ? [] : ["jump-clock", "replace-all"];

/** Schedules that broke something, and are short enough for every run. */
const regressions = [...(await loadRegressions())].filter(([, { short: isShort }]) => isShort);

describe("a cluster of three control planes, under faults", () => {
  let chaos: Chaos | undefined;
  const interrupted = new AbortController();

  before(async () => {
    chaos = await startChaos({ name: "chaos-short", subnet: "10.120.0.0/24", seed: 1 });
  });
  after(async () => {
    interrupted.abort();
    await chaos?.[Symbol.asyncDispose]();
  });

  for (const [target, name] of [...short, ...long].entries()) {
    const fault = faults.find((each) => each.name === name);
    it(`loses nothing and recovers: ${fault?.summary ?? name}`, async () => {
      assert.ok(fault !== undefined && chaos !== undefined);
      const inject = async (context: FaultContext): Promise<void> => {
        await fault.inject(context);
        await proofs[name]?.(context);
      };
      const [result] = await runFaults({
        ...chaos,
        planned: [{ fault: { ...fault, inject }, target }],
        signal: interrupted.signal,
        recoveryLimitMs: 300_000,
        onResult: (found, index) => console.log(formatResult(found, index)),
      });
      assert.deepEqual(result?.violations, []);
      for (const [store, { ok }] of Object.entries(result.counts)) assert.ok(ok > 0, `${store} was never written`);
    });
  }

  for (const [name, regression] of regressions) {
    it(`does not break as in ${name}: ${regression.found}`, async () => {
      assert.ok(chaos !== undefined);
      const planned = replay(regression, faults);
      const results = await runFaults({
        ...chaos,
        planned,
        signal: interrupted.signal,
        recoveryLimitMs: 300_000,
        onResult: (found, index) => console.log(formatResult(found, index)),
      });
      assert.deepEqual(
        results.flatMap(({ violations }) => violations),
        [],
      );
      assert.equal(results.length, planned.length);
    });
  }
});
