import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createRecordingLogger } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { readPowerState, writeDeath } from "@talos-ts/machinery/power-record";
import { beginRun } from "./last-run.ts";

describe("beginRun()", () => {
  it("knows a run that ended without a shutdown, and why", async () => {
    await using folder = await temporaryDirectory();
    assert.equal((await beginRun(folder.path, createRecordingLogger())).uncleanEnd, undefined);
    const death = {
      time: new Date(Date.now() + 1000).toISOString(),
      reason: "killed by SIGKILL",
      count: 1,
      restartAt: new Date().toISOString(),
    };
    await writeDeath(folder.path, death);
    assert.deepEqual((await beginRun(folder.path, createRecordingLogger())).uncleanEnd, { death });
  });

  for (const state of ["off", "reboot"] as const) {
    it(`takes a run that ended with "${state}" for one that was meant to`, async () => {
      await using folder = await temporaryDirectory();
      const record = await beginRun(folder.path, createRecordingLogger());
      await record.end(state);
      assert.equal(await readPowerState(folder.path), state);
      assert.equal((await beginRun(folder.path, createRecordingLogger())).uncleanEnd, undefined);
      assert.equal(await readPowerState(folder.path), "on");
    });
  }

  it("writes nothing where the host keeps no record", async () => {
    await using folder = await temporaryDirectory();
    const record = await beginRun(join(folder.path, "none"), createRecordingLogger());
    await record.end("off");
    assert.deepEqual(await readdir(folder.path), []);
  });
});
