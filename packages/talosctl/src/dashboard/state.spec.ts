import assert from "node:assert/strict";
import { test } from "node:test";
import { shownOf } from "./state.ts";
import { maintenanceState, sampleState } from "./testing.ts";

test("shownOf() asks the node that is looked at for more, and on a console for processes only while they are shown", () => {
  const cluster = sampleState();
  assert.deepEqual(shownOf(cluster, "10.5.0.2"), { withNetwork: true, withProcesses: true });
  assert.deepEqual(shownOf(cluster, "10.5.0.3"), { withNetwork: false, withProcesses: false });
  const console = maintenanceState();
  assert.deepEqual(shownOf(console, console.selected), { withNetwork: true, withProcesses: false });
  const monitor = { ...console, screen: "monitor" } as const;
  assert.deepEqual(shownOf(monitor, console.selected), { withNetwork: true, withProcesses: true });
});
