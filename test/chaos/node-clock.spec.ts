import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { planCluster } from "@talos-ts/provision";
import { startClockChild, type ClockChild } from "./clock-child.ts";
import { eventually } from "../integration/cluster-support.ts";
import { shiftNodeClock, type NodeClockContext } from "./node-clock.ts";
import { createClockShifter } from "./shift-clock.ts";

const [node] = planCluster({ name: "clock", subnet: "10.5.0.0/24" }, "/tmp").nodes;

describe("shiftNodeClock", () => {
  it("shifts the clock of every process of a node, also of one that starts later, and of no other, until it is undone", async () => {
    assert.ok(node !== undefined);
    await using made = new AsyncDisposableStack();
    const start = async (): Promise<ClockChild> => made.use(await startClockChild());
    const children = [await start(), await start()];
    const stranger = await start();
    const cluster: NodeClockContext["cluster"] = {
      processes: async () => children.map(({ pid }) => ({ pid, state: "S", words: "" })),
    };
    const shifter = await createClockShifter();
    const shifted = () => Promise.all(children.map(({ pid }) => shifter.isShifted(pid)));
    await using undo = new AsyncDisposableStack();
    await shiftNodeClock({ cluster, node, undo }, shifter, 600);
    assert.deepEqual(await shifted(), [true, true]);
    children.push(await start());
    await eventually(shifted, (all) => all.every(Boolean), 10_000);
    assert.equal(await shifter.isShifted(stranger.pid), false);
    await undo.disposeAsync();
    assert.deepEqual(await shifted(), [false, false, false]);
    for (const child of children) await child.clocks();
  });
});
