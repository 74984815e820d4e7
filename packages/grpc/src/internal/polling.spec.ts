import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPolling, type Polling } from "./polling.ts";

/** A poller of 10 ms whose turns of the event loop, of 1 ms each, are counted by `run`. */
function createLoop(): { readonly polling: Polling; readonly run: (turns: number) => number } {
  let nowMs = 0;
  let waiting: (() => void)[] = [];
  const polling = createPolling({ durationMs: 10, now: () => nowMs, nextTurn: (turn) => void waiting.push(turn) });
  return {
    polling,
    run(turns) {
      let busy = 0;
      for (let turn = 0; turn < turns; turn += 1) {
        nowMs += 1;
        const due = waiting;
        waiting = [];
        busy += due.length;
        for (const each of due) each();
      }
      return busy;
    },
  };
}

describe("createPolling()", () => {
  it("asks for turns of the event loop until its time is over", () => {
    const { polling, run } = createLoop();
    assert.equal(run(5), 0, "at rest before it is asked");
    polling.extend();
    assert.equal(run(100), 10);
    assert.equal(run(5), 0);
  });

  it("begins anew when it is extended, and asks for one turn at a time", () => {
    const { polling, run } = createLoop();
    polling.extend();
    assert.equal(run(6), 6);
    polling.extend();
    polling.extend();
    assert.equal(run(100), 10);
    polling.extend();
    assert.equal(run(100), 10);
  });
});
