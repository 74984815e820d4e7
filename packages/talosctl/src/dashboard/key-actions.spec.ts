import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pressKey } from "./key-actions.ts";
import { withLogLines, type DashboardState } from "./state.ts";
import { maintenanceState, sampleState } from "./testing.ts";

const scrollable = { page: 10, length: 32 };

function press(state: DashboardState, ...keys: readonly string[]): DashboardState {
  return keys.reduce((before, key) => {
    const after = pressKey(before, key, scrollable);
    assert.notEqual(after, "quit");
    return after === "quit" ? before : after;
  }, state);
}

describe("pressKey()", () => {
  it("goes through the nodes in a circle, and leaves the log of the one before", () => {
    const state = sampleState();
    assert.equal(press(state, "l").selected, "10.5.0.3");
    assert.equal(press(state, "right", "l", "l").selected, "10.5.0.2");
    assert.equal(press(state, "h").selected, "10.5.0.4");
    assert.deepEqual(press(state, "left").logLines, []);
  });

  it("scrolls the log from its end, and keeps what is shown when lines come", () => {
    const state = press(sampleState(), "k", "up", "ctrl-u");
    assert.equal(state.scroll, 7);
    assert.equal(withLogLines(state, ["a", "b"]).scroll, 9);
    assert.equal(press(state, "ctrl-d", "j").scroll, 1);
    assert.equal(press(state, "g").scroll, 22);
    assert.equal(press(state, "G").scroll, 0);
    assert.equal(press(state, "ctrl-f", "ctrl-b", "ctrl-b", "ctrl-b").scroll, 22);
  });

  it("scrolls processes from the first one", () => {
    const state = press(sampleState(), "k", "f2");
    assert.deepEqual([state.screen, state.scroll], ["monitor", 0]);
    assert.equal(press(state, "j", "down", "k").scroll, 1);
    assert.equal(press(state, "f1").screen, "summary");
  });

  it("goes through the logs of the node", () => {
    let state = sampleState();
    for (const source of ["kernel", "apid", "kubelet", "machined"]) {
      state = press(state, "tab");
      assert.equal(state.logSource, source);
    }
    assert.equal(press(sampleState(), "shift-tab").logSource, "kubelet");
  });

  it("does not end on the console of the machine", () => {
    const state = maintenanceState();
    for (const key of ["q", "ctrl-c"]) assert.equal(pressKey(state, key, scrollable), state);
  });

  it("ends with q and Ctrl-C; other keys change nothing", () => {
    const state = sampleState();
    assert.equal(pressKey(state, "q", scrollable), "quit");
    assert.equal(pressKey(state, "ctrl-c", scrollable), "quit");
    assert.equal(pressKey(state, "x", scrollable), state);
  });
});
