import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createInMemoryState, createResource, updateTyped, wrapCore } from "@talos-ts/cosi";
import { NetworkStatus, TimeStatus } from "@talos-ts/machinery/resources";
import type { DaemonDependencies } from "./daemon.ts";
import { trustdService } from "./trustd.ts";

describe("trustdService()", () => {
  it("C-14: waits for containerd, time sync and network, and says for which of them", async () => {
    const state = wrapCore(createInMemoryState());
    // Only the runner needs the rest of the machine, and it is not asked for.
    const platform = { mode: "container" } as const;
    const { dependsOn, condition } = trustdService({ state, platform } as unknown as DaemonDependencies & {
      state: typeof state;
      platform: typeof platform;
    });
    assert.deepEqual(dependsOn, ["containerd"]);
    assert.ok(condition);
    assert.equal(condition.describe(), "time sync, network");
    const signal = AbortSignal.timeout(60_000);
    const waiting = condition.wait(signal);

    await state.create(createResource(TimeStatus, TimeStatus.id, TimeStatus.spec({ synced: false })));
    await state.create(
      createResource(NetworkStatus, NetworkStatus.id, NetworkStatus.spec({ addressReady: true, hostnameReady: true })),
    );
    while (condition.describe() !== "time sync") await new Promise(setImmediate);
    await updateTyped(state, TimeStatus, TimeStatus.id, (spec) => ({ ...spec, synced: true }));
    await waiting;
    assert.equal(condition.describe(), "");
  });
});
