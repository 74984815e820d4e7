import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { createLinuxTextFiles } from "../files/linux-text-files.ts";
import { createLinuxProcesses } from "./linux-processes.ts";

describe("startReaper()", () => {
  it("takes every orphan and leaves every child of node:child_process to Node", async () => {
    const processes = createLinuxProcesses(createLinuxTextFiles());
    processes.becomeSubreaper();
    const orphans = new Map<number, number | undefined>();
    const { promise: allReaped, resolve } = Promise.withResolvers<void>();
    using _reaper = processes.startReaper(({ pid, exitCode }) => {
      orphans.set(pid, exitCode);
      if (orphans.size === 30) resolve();
    });
    const children = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        // Every second shell leaves an orphan behind that ends with the same code once its input closes.
        const orphan = index % 2 === 0 ? `{ read line <&3; exit ${String(index)}; } &` : "";
        const script = `exec 3<&0\n${orphan}\nexit ${String(index)}`;
        const child = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "inherit"] });
        const [code] = (await once(child, "exit")) as [number];
        child.stdin.end();
        return code;
      }),
    );
    assert.deepEqual(
      children,
      Array.from({ length: 60 }, (_, index) => index),
    );
    await allReaped;
    assert.deepEqual(
      [...orphans.values()].sort((one, other) => (one ?? 0) - (other ?? 0)),
      Array.from({ length: 30 }, (_, index) => index * 2),
    );
  });
  it("does not hide the error of a command that cannot be started", async () => {
    const processes = createLinuxProcesses(createLinuxTextFiles());
    using _reaper = processes.startReaper();
    const [error] = (await once(spawn("/no/such/command"), "error")) as [NodeJS.ErrnoException];
    assert.equal(error.code, "ENOENT");
  });
});
