import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createLogStore } from "../../logs/log-store.ts";
import { udevdService } from "./udevd.ts";

describe("udevdService()", () => {
  it("announces all devices once, then only waits for the queue of events", async () => {
    const calls: string[] = [];
    const service = udevdService(
      {
        registerProcess: () => () => ({ [Symbol.dispose]: () => undefined }),
        logs: createLogStore(),
        clock: systemClock,
        root: "",
      },
      async (args) => void calls.push(args[0] ?? ""),
    );
    assert.match(service.runner()?.describe() ?? "", /systemd-udevd/);
    const { signal } = new AbortController();
    await service.health?.check(signal);
    await service.health?.check(signal);
    assert.deepEqual(calls, ["trigger", "trigger", "settle", "settle"]);
  });
});
