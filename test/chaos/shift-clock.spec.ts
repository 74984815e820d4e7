import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startClockChild, type Clocks } from "./clock-child.ts";
import { createClockShifter, findShiftProblem } from "./shift-clock.ts";

/** Calls that tell the time of day. */
const shifted = ["Date", "time", "time to memory", "gettimeofday", "0", "5", "11"];
/** Calls that tell the time since the machine started, and those that fail or tell nothing. */
const others = ["1", "7", "99", "-7", "time zone alone"];

/** Shows that all times of day differ by some seconds, and nothing else does. */
function assertShift(before: Clocks, after: Clocks, seconds: number): void {
  const difference = (call: string): number => (after[call] ?? NaN) - (before[call] ?? NaN);
  // Asking takes time, and seconds are whole.
  const isAbout = (call: string, wanted: number): boolean => Math.abs(difference(call) - wanted) <= 20;
  for (const call of shifted) assert.ok(isAbout(call, seconds), `${call} differs by ${String(difference(call))} s`);
  for (const call of others) assert.ok(isAbout(call, 0), `${call} differs by ${String(difference(call))} s`);
}

describe("createClockShifter", () => {
  for (const seconds of [600, -600, 86_400 * 365]) {
    it(`shifts every time of day of a process by ${String(seconds)} s, and back`, async () => {
      await using child = await startClockChild();
      const shifter = await createClockShifter();
      const before = await child.clocks();
      assert.equal(await shifter.isShifted(child.pid), false);
      assert.equal(await shifter.shift(child.pid, seconds), true);
      assert.equal(await shifter.isShifted(child.pid), true);
      assertShift(before, await child.clocks(), seconds);
      assert.equal(await shifter.restore(child.pid), true);
      assert.equal(await shifter.isShifted(child.pid), false);
      assertShift(before, await child.clocks(), 0);
    });
  }

  it("shifts again, from the true time", async () => {
    await using child = await startClockChild();
    const shifter = await createClockShifter();
    const before = await child.clocks();
    await shifter.shift(child.pid, 600);
    await shifter.shift(child.pid, -300);
    assertShift(before, await child.clocks(), -300);
  });

  it("leaves other processes alone", async () => {
    await using child = await startClockChild();
    await using other = await startClockChild();
    const shifter = await createClockShifter();
    const before = await other.clocks();
    await shifter.shift(child.pid, 600);
    assertShift(before, await other.clocks(), 0);
    assert.equal(await shifter.isShifted(process.pid), false);
    assert.equal(await shifter.restore(other.pid), false);
  });

  it("works while the process asks for the time all the time", async () => {
    await using child = await startClockChild();
    const shifter = await createClockShifter();
    const before = await child.clocks();
    const over = new AbortController();
    const busy = (async () => {
      while (!over.signal.aborted) await child.clocks();
    })();
    for (let round = 0; round < 20; round += 1) {
      await shifter.shift(child.pid, 600 + round);
      await shifter.restore(child.pid);
    }
    over.abort();
    await busy;
    assertShift(before, await child.clocks(), 0);
  });

  it("does nothing to a process that is gone, nor to a thread of the kernel", async () => {
    const shifter = await createClockShifter();
    const child = await startClockChild();
    await child[Symbol.asyncDispose]();
    // Process 2 makes the threads of the kernel.
    for (const pid of [child.pid, 2]) {
      assert.equal(await shifter.isShifted(pid), false);
      assert.equal(await shifter.shift(pid, 600), false);
      assert.equal(await shifter.restore(pid), false);
    }
  });
});

describe("findShiftProblem", () => {
  it("finds none where the tests above pass", async () => {
    assert.equal(await findShiftProblem(), undefined);
  });
});
