import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createEventBus } from "../events/event-bus.ts";
import type { MachineTraits, Sequencer, Task, TaskName } from "../sequence.ts";
import { createSequencer } from "./sequencer.ts";
import { planSequence } from "./sequences.ts";
import { canTakeOver } from "./take-over.ts";

const traits: MachineTraits = { mode: "container" };

/** Every task records its name; some can be replaced. */
function setUp(replaced: Partial<Record<TaskName, Task>> = {}): {
  readonly sequencer: Sequencer;
  readonly ran: string[];
  readonly lines: string[];
} {
  const ran: string[] = [];
  const lines: string[] = [];
  const tasks = new Proxy({} as Record<TaskName, Task>, {
    get: (_target, name) =>
      replaced[name as TaskName] ??
      (async () => {
        ran.push(String(name));
      }),
  });
  const events = createEventBus();
  const sequencer = createSequencer({
    events,
    traits: async () => traits,
    tasks,
    clock: systemClock,
    log: (line) => lines.push(line),
  });
  return { sequencer, ran, lines };
}

describe("planSequence()", () => {
  const names = (...args: Parameters<typeof planSequence>): string[] =>
    planSequence(...args).map((phase) => phase.name);

  it("starts a container node with three services at once, then its config", () => {
    assert.deepEqual(planSequence("initialize", traits), [
      { name: "machined", tasks: ["startApid", "startMachined", "startContainerd"] },
      { name: "config", tasks: ["loadConfig"] },
    ]);
  });
  it("starts udevd and syslogd where devices and messages are the machine's own", () => {
    const [first] = planSequence("initialize", { ...traits, mode: "metal" });
    assert.deepEqual(first, {
      name: "earlyServices",
      tasks: ["startUdevd", "startMachined", "startApid", "startSyslogd", "startContainerd"],
    });
  });
  it("T-02: shows the dashboard before there is a configuration, where the console is the machine's own", () => {
    const dashboard = { name: "dashboard", tasks: ["startDashboard"] };
    const phases = planSequence("initialize", { mode: "metal" });
    assert.deepEqual(phases.at(-2), dashboard);
    assert.equal(phases.at(-1)?.name, "config");
    assert.ok(!names("initialize", { mode: "metal", dashboardDisabled: true }).includes("dashboard"));
    assert.ok(!names("initialize", traits).includes("dashboard"));
  });
  it("wipes a machine only after everything has stopped", () => {
    assert.deepEqual(names("reset", traits), [
      "cleanup",
      "preReset",
      "stopEverything",
      "volumeFinalize",
      "endProcesses",
      "reset",
      "shutdown",
    ]);
    assert.equal(names("reset", traits, { reboot: true }).at(-1), "reboot");
  });
  it("D13: leaves etcd only on a graceful reset of a control plane machine, before discovery is told", () => {
    const graceful = names("reset", { ...traits, type: "controlplane" }, { graceful: true });
    assert.deepEqual(graceful.slice(0, 4), ["drain", "cleanup", "leave", "preReset"]);
    assert.ok(!names("reset", { ...traits, type: "worker" }, { graceful: true }).includes("leave"));
    assert.ok(!names("reset", { ...traits, type: "controlplane" }).includes("leave"));
    const [, cleanup] = planSequence("reset", traits, { graceful: true });
    assert.deepEqual(cleanup?.tasks, ["removeAllPods"]);
  });
  it("has the phases of containers only in containers", () => {
    assert.deepEqual(names("boot", { mode: "metal" }), ["env", "ephemeral", "userSetup", "startEverything"]);
  });
  it("has the new version on the disk before it stops anything, and upgrades no container", () => {
    const metal = { ...traits, mode: "metal" } as const;
    const rest = ["stopEverything", "volumeFinalize", "endProcesses", "reboot"];
    assert.deepEqual(names("upgrade", metal), ["upgrade", "drain", "cleanup", ...rest]);
    assert.deepEqual(names("maintenanceUpgrade", metal), ["upgrade", ...rest]);
    assert.deepEqual(names("upgrade", traits), []);
  });
  it("refuses what no machine does", () => {
    for (const name of ["stageUpgrade", "emergencyVolumeCleanup"] as const) {
      assert.throws(() => planSequence(name, traits), { code: "sequence/unimplemented" });
    }
    assert.deepEqual(planSequence("install", traits), []);
  });
  it("stops everything before a reboot unless forced", () => {
    assert.deepEqual(names("reboot", traits), [
      "cleanup",
      "stopEverything",
      "volumeFinalize",
      "endProcesses",
      "reboot",
    ]);
    assert.deepEqual(names("reboot", traits, { force: true }), ["volumeFinalize", "endProcesses", "reboot"]);
  });
});

describe("canTakeOver()", () => {
  it("follows the table", () => {
    assert.ok(canTakeOver("boot", "reset"));
    assert.ok(canTakeOver("initialize", "reboot"));
    assert.ok(!canTakeOver("reset", "upgrade"));
    assert.ok(!canTakeOver("shutdown", "reboot"));
  });
});

describe("createSequencer()", () => {
  it("runs phases in order with the known log lines", async () => {
    const { sequencer, ran, lines } = setUp();
    await sequencer.run("initialize");
    assert.deepEqual(ran, ["startApid", "startMachined", "startContainerd", "loadConfig"]);
    assert.equal(lines[0], "initialize sequence: 2 phase(s)");
    assert.equal(lines[1], "phase machined (1/2): 3 tasks(s)");
    assert.match(lines.at(-1) ?? "", /^initialize sequence: done: (?:0s|\d+ms)$/);
  });
  it("names the task that failed", async () => {
    const { sequencer } = setUp({ loadConfig: () => Promise.reject(new Error("no config")) });
    await assert.rejects(sequencer.run("initialize"), { message: 'task "loadConfig" failed: no config' });
    assert.equal(sequencer.running, undefined);
  });
  it("refuses a second sequence that may not take over", async () => {
    const gate = Promise.withResolvers<void>();
    const { sequencer } = setUp({ loadConfig: () => gate.promise });
    const first = sequencer.run("initialize");
    await assert.rejects(sequencer.run("shutdown"), { code: "sequence/locked" });
    gate.resolve();
    await first;
  });
  it("refuses a sequence that does not exist yet, and leaves the running one alone", async () => {
    const gate = Promise.withResolvers<void>();
    const { sequencer, lines } = setUp({ loadConfig: () => gate.promise });
    const first = sequencer.run("initialize");
    await assert.rejects(sequencer.run("stageUpgrade"), {
      code: "sequence/unimplemented",
      kind: "unimplemented",
    });
    assert.equal(sequencer.running, "initialize");
    gate.resolve();
    await first;
    assert.ok(!lines.some((line) => line.includes("stageUpgrade")));
  });
  it("replaces a running sequence when the table allows it", async () => {
    const untilAborted: Task = ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    const { sequencer, ran } = setUp({ startAllServices: untilAborted });
    const boot = assert.rejects(sequencer.run("boot"));
    await new Promise((resolve) => setImmediate(resolve));
    await sequencer.run("reset", { graceful: true });
    await boot;
    assert.ok(ran.includes("resetVolumes"));
  });
});
