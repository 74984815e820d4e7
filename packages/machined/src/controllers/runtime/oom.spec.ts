import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { controllerTest } from "@talos-ts/cosi/conformance";
import type { MemoryLinux } from "@talos-ts/linux/memory";
import { OOMAction, SettingProblem } from "@talos-ts/machinery/resources/runtime";
import { activeResource, testMachine } from "../internal/testing.ts";
import { oomController } from "./oom.ts";

const root = "/sys/fs/cgroup";
const platform = { mode: "metal" } as const;
const calm = "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
const exhausted = calm.replace("full avg10=0.00", "full avg10=80.00");
const document = (...lines: readonly string[]): string =>
  ["apiVersion: v1alpha1", "kind: OOMConfig", ...lines, ""].join("\n");

/** Adds a pod with one container; returns whether it was killed. */
function addPod({ textFiles: { tree } }: MemoryLinux, path: string, pid: number, bytes: number): () => boolean {
  let killed = false;
  const pod = `${root}/kubepods/${path}`;
  tree.set(`${pod}/cgroup.procs`, "");
  tree.set(`${pod}/memory.current`, `${String(bytes)}\n`);
  tree.set(`${pod}/memory.max`, "max\n");
  tree.set(`${pod}/cgroup.kill`, { read: () => "", write: () => (killed = true) });
  tree.set(`${pod}/container/cgroup.procs`, `${String(pid)}\n`);
  tree.set(`/proc/${String(pid)}/cmdline`, `/bin/app\0--pid\0${String(pid)}\0`);
  return () => killed;
}

describe("runtime.OOMController", () => {
  it("ends the largest pod of the least important class when memory is exhausted, and waits then", async () => {
    const { linux } = testMachine();
    const clock = createManualClock(1000);
    linux.textFiles.tree.set(`${root}/memory.pressure`, calm);
    const burstable = addPod(linux, "burstable/pod1", 11, 9000);
    const small = addPod(linux, "besteffort/pod2", 12, 1000);
    const large = addPod(linux, "besteffort/pod3", 13, 2000);
    await using test = controllerTest({ clock, register: [oomController({ platform, linux, clock })] });
    await test.settled();
    assert.deepEqual([burstable(), small(), large()], [false, false, false]);

    linux.textFiles.tree.set(`${root}/memory.pressure`, exhausted);
    await clock.advance(500);
    await test.assertResource(OOMAction, "0", ({ spec }) => {
      assert.deepEqual([spec.score, spec.processes], [2000, ["/bin/app --pid 13"]]);
      assert.match(spec.triggerContext, /"memory_full_avg10":80/);
    });
    assert.deepEqual([burstable(), small(), large()], [false, false, true]);
    // The pressure that is told lags behind.
    await clock.advance(5000);
    await test.settled();
    await test.assertNoResource(OOMAction, "1");
    await clock.advance(6000);
    await test.assertResource(OOMAction, "1");
  });

  it("follows the expressions of the configuration", async () => {
    const { linux } = testMachine();
    const clock = createManualClock(1000);
    linux.textFiles.tree.set(`${root}/memory.pressure`, exhausted);
    const burstable = addPod(linux, "burstable/pod1", 11, 9000);
    const besteffort = addPod(linux, "besteffort/pod2", 12, 1000);
    await using test = controllerTest({ clock, register: [oomController({ platform, linux, clock })] });
    await test.create(
      activeResource(
        document(
          "triggerExpression: memory_full_avg10 > 50.0",
          "cgroupRankingExpression: double(memory_current.orValue(0u))",
          "strictCgroupClassOrdering: false",
        ),
      ),
    );
    await test.assertResource(OOMAction, "0");
    await clock.advance(500);
    await test.assertResource(OOMAction, "1");
    assert.deepEqual([burstable(), besteffort()], [true, false]);
  });

  it("says what a kernel without pressure information, or a container, lacks", async () => {
    const machine = testMachine();
    for (const [mode, reason] of [
      ["metal", /memory\.pressure/],
      ["container", /that of its host/],
    ] as const) {
      await using test = controllerTest({ register: [oomController({ ...machine, platform: { mode } })] });
      await test.create(activeResource(document("sampleInterval: 1s")));
      await test.assertResource(SettingProblem, "oom", ({ spec }) => assert.match(spec.reason, reason));
    }
  });
});
