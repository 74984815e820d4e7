import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { release } from "node:os";
import { describe, it } from "node:test";
import { isCode } from "@talos-ts/base";
import { watchExit, type ExitStatus } from "./exit-watch.ts";

/** The kernel tells the status of other people's children since 6.15. */
const tells = ((): boolean => {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 6 || (major === 6 && minor >= 15);
})();

async function ended(end: (child: ReturnType<typeof spawn>) => void): Promise<ExitStatus | undefined> {
  const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
  await once(child, "spawn");
  const { promise, resolve } = Promise.withResolvers<ExitStatus | undefined>();
  using _watch = watchExit(child.pid ?? 0, resolve);
  end(child);
  return await promise;
}

describe("watchExit()", () => {
  it("tells of the signal that ended a process", async () => {
    const status = await ended((child) => child.kill("SIGKILL"));
    assert.deepEqual(status, tells ? { exitCode: undefined, signal: 9 } : undefined);
  });
  it("tells of the status a process exited with", async () => {
    const status = await ended((child) => child.stdin?.end());
    assert.deepEqual(status, tells ? { exitCode: 0, signal: undefined } : undefined);
  });
  it("refuses a process that does not exist", () => {
    assert.throws(
      () => watchExit(2 ** 30, () => undefined),
      (err) => isCode(err, "process/esrch") || isCode(err, "process/einval"),
    );
  });
});
