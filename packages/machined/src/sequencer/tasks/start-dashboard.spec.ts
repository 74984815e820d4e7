import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryLinux } from "@talos-ts/linux";
import type { TaskContext } from "../../sequence.ts";
import { startDashboard } from "./start-dashboard.ts";

/** Runs the task on a machine with this driver of its display; gives what it logged and started. */
async function run(driver: string): Promise<readonly string[]> {
  const linux = createMemoryLinux();
  linux.textFiles.tree.set("/sys/class/vtconsole/vtcon0/name", `(S) ${driver}\n`);
  linux.textFiles.tree.set("/sys/class/vtconsole/vtcon0/bind", "1\n");
  const seen: string[] = [];
  const startServices = (_sequencer: unknown, ...ids: readonly string[]): void => void seen.push(...ids);
  const context = { log: (message: string) => void seen.push(message) } as unknown as TaskContext;
  await startDashboard({ linux, startServices })(context);
  return seen;
}

test("startDashboard() starts the service where somebody can see it, and says once why not elsewhere", async () => {
  assert.deepEqual(await run("VGA+"), ["dashboard"]);
  const [line = "", ...others] = await run("dummy device");
  assert.match(line, /^dashboard is not started: the machine has no display/);
  assert.deepEqual(others, []);
});
