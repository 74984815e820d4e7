import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createMemoryLinux } from "@talos-ts/linux";
import { emptyMemory } from "./empty-memory.ts";
import { endProcesses } from "./end-processes.ts";
import { mountsSince } from "./mounts-since.ts";

describe("endProcesses()", () => {
  it("ends every process but this one", async () => {
    const linux = createMemoryLinux();
    linux.processes.start({ executable: "/bin/a", orphan: true });
    linux.processes.start({ executable: "/bin/b", orphan: true });
    using _reaper = linux.processes.startReaper();
    assert.deepEqual(await endProcesses(linux, systemClock), []);
    assert.deepEqual(await linux.procfs.processes(), []);
  });
  it("forces those that do not listen, and names those that cannot be ended", async () => {
    const { processes, procfs } = createMemoryLinux();
    const immortal = processes.start({ executable: "/bin/a" });
    const asked: unknown[] = [];
    let now = 0;
    const clock = {
      ...systemClock,
      monotonic: () => now,
      sleep: async () => {
        now += 1000;
      },
    };
    const deaf = { ...processes, kill: (pid: number, signal: NodeJS.Signals | 0) => void asked.push([pid, signal]) };
    assert.deepEqual(await endProcesses({ procfs, processes: deaf }, clock), [immortal]);
    assert.deepEqual(asked, [
      [immortal, "SIGTERM"],
      [immortal, "SIGKILL"],
    ]);
  });
});

describe("mountsSince()", () => {
  it("takes away only what came later, and from the top", async () => {
    const { mounts, paths } = createMemoryLinux();
    for (const path of ["/run", "/var"]) paths.add(path);
    await mounts.mount({ source: "tmpfs", target: "/run", type: "tmpfs" });
    const before = await mounts.list();
    const since = await mountsSince(mounts);
    await mounts.mount({ source: "tmpfs", target: "/run", type: "tmpfs" });
    await mounts.mount({ source: "tmpfs", target: "/var", type: "tmpfs" });
    await since.unmount();
    assert.deepEqual(await mounts.list(), before);
  });
});

describe("emptyMemory()", () => {
  it("keeps the state, what is mounted, and places that are not in memory", async () => {
    const root = await mkdtemp(join(tmpdir(), "memory-"));
    try {
      for (const path of ["run/a/b", "run/pods/mounted/c", "run/pods/d", "system/state/e", "system/run", "tmp/f"]) {
        await mkdir(join(root, path), { recursive: true });
        await writeFile(join(root, path, "file"), "");
      }
      const mounts = [
        { target: "/run", type: "tmpfs" },
        { target: "/run/pods/mounted", type: "ext4" },
        { target: "/system", type: "tmpfs" },
        { target: "/tmp", type: "ext4" },
      ];
      await emptyMemory(mounts, root);
      assert.deepEqual((await readdir(root, { recursive: true })).filter((path) => path.endsWith("file")).toSorted(), [
        "run/pods/mounted/c/file",
        "system/state/e/file",
        "tmp/f/file",
      ]);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
