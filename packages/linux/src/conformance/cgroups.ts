import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { isCode } from "@talos-ts/base";
import type { Cgroups } from "../cgroups/cgroups.ts";
import type { ConformanceSubject, ConformanceSuites } from "./subject.ts";

const base = `/talos-ts-conformance-${String(process.pid)}`;

/** The groups of the subject and a fresh one in them; skips where the machine has none. */
async function open(
  subject: ConformanceSubject,
  context: TestContext,
): Promise<({ readonly cgroups: Cgroups; readonly path: string } & AsyncDisposable) | undefined> {
  let cgroups: Cgroups;
  try {
    cgroups = await subject.linux.cgroups();
  } catch (err) {
    if (!isCode(err, "cgroup/not-mounted")) throw err;
    context.skip("this machine has no control groups mounted");
    return undefined;
  }
  const path = `${base}/group`;
  await cgroups.create(path);
  return {
    cgroups,
    path,
    [Symbol.asyncDispose]: async () => {
      await cgroups.kill(path);
      await cgroups.remove(base);
    },
  };
}

export const cgroupsSuites: ConformanceSuites = {
  Cgroups: {
    "attach() moves a process, kill() ends it, remove() takes the tree away": async (subject, context) => {
      await using scene = await open(subject, context);
      if (scene === undefined) return;
      const { cgroups, path } = scene;
      await cgroups.create(path);
      assert.deepEqual(await cgroups.children(base), ["group"]);
      await using running = await subject.makeProcess();
      await cgroups.attach(path, running.pid);
      assert.deepEqual(await cgroups.processes(path), [running.pid]);
      assert.equal((await cgroups.stats(base)).populated, true);
      await assert.rejects(cgroups.remove(base), { code: "cgroup/ebusy" });
      await cgroups.kill(base);
      assert.equal((await cgroups.stats(base)).populated, false);
      await cgroups.remove(base);
      await assert.rejects(cgroups.children(base), { code: "cgroup/enoent" });
      await cgroups.remove(base);
      await cgroups.create(path);
    },
    "setLimits() applies what the controllers allow and names the rest": async (subject, context) => {
      await using scene = await open(subject, context);
      if (scene === undefined) return;
      const { cgroups, path } = scene;
      const limits = { memoryMaxBytes: 64n << 20n, cpuWeight: 50n, maxProcesses: 100n } as const;
      const unsupported = await cgroups.setLimits(path, limits);
      const missing = { memoryMaxBytes: "memory", cpuWeight: "cpu", maxProcesses: "pids" } as const;
      for (const [name, controller] of Object.entries(missing)) {
        assert.equal(
          unsupported.includes(name as keyof typeof missing),
          !cgroups.controllers.includes(controller),
          name,
        );
      }
      if (cgroups.controllers.includes("pids")) assert.equal((await cgroups.stats(path)).processes, 0n);
    },
    "attach() refuses a process that is not there": async (subject, context) => {
      await using scene = await open(subject, context);
      if (scene === undefined) return;
      await assert.rejects(scene.cgroups.attach(scene.path, 0x3fffff), { code: "cgroup/esrch" });
    },
    "create() refuses a path that leaves the tree": async (subject, context) => {
      await using scene = await open(subject, context);
      if (scene === undefined) return;
      for (const path of ["/", "relative", "/a/../b", "/a//b"]) {
        await assert.rejects(scene.cgroups.create(path), { code: "cgroup/bad-path" });
      }
    },
  },
};
