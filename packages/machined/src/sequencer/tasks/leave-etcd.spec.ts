import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createInMemoryState, createNamespacedState, wrapCore, type Logger } from "@talos-ts/cosi";
import { createServiceManager } from "../../services/service-manager.ts";
import type { Sequencer, TaskContext } from "../../sequence.ts";
import { leaveEtcd } from "./leave-etcd.ts";

const ignore = (): void => undefined;
const logger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, with: () => logger };

describe("leaveEtcd()", () => {
  async function run(prepare: (root: string) => Promise<void>): Promise<readonly string[]> {
    const root = await mkdtemp(join(tmpdir(), "leave-"));
    await using _folder = { [Symbol.asyncDispose]: () => rm(root, { recursive: true }) };
    await prepare(root);
    const services = createServiceManager();
    services.load({
      id: "etcd",
      runner: () => ({ describe: () => "Failing", run: () => Promise.reject(new Error("no disk")) }),
    });
    services.start("etcd");
    await services.get("etcd").over();
    const state = wrapCore(createNamespacedState(() => createInMemoryState()));
    const lines: string[] = [];
    const context: TaskContext = {
      signal: new AbortController().signal,
      request: { graceful: true },
      log: (line) => lines.push(line),
      sequencer: {} as Sequencer,
    };
    await leaveEtcd({ state, services, clock: systemClock, logger, root })(context);
    return lines;
  }

  it("leaves alone a machine that never was a member", async () => {
    assert.deepEqual(await run(async () => undefined), ["skipping leaving etcd: this machine is not a member"]);
  });
  it("D13: fails where there is data of a member that does not answer, so that nothing is wiped", async () => {
    const withData = (root: string): Promise<unknown> => mkdir(join(root, "var/lib/etcd/member"), { recursive: true });
    await assert.rejects(
      run(async (root) => void (await withData(root))),
      { code: "etcd/no-certificates" },
    );
  });
});
