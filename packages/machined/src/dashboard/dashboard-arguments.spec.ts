import assert from "node:assert/strict";
import { test } from "node:test";
import { dashboardArguments } from "./dashboard-arguments.ts";

test("dashboardArguments() reads what the command line of the kernel says of the dashboard", () => {
  assert.deepEqual(dashboardArguments("console=ttyS0 quiet"), { disabled: false, console: undefined });
  assert.equal(dashboardArguments("talos.dashboard.disabled=1").disabled, true);
  assert.equal(dashboardArguments("talos.dashboard.disabled=true").disabled, true);
  for (const value of ["=0", "=no", "=", ""]) {
    assert.equal(dashboardArguments(`talos.dashboard.disabled${value}`).disabled, false, value);
  }
  assert.equal(dashboardArguments("talos.dashboard.console=ttyS1").console, "ttyS1");
});
