import assert from "node:assert/strict";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { readDeath, readPowerState, writeDeath, writePowerState } from "./power-record.ts";

const death = {
  time: "2026-01-01T00:00:10.000Z",
  reason: "killed by SIGKILL",
  count: 2,
  restartAt: "2026-01-01T00:00:11.000Z",
};

describe("power record", () => {
  it("keeps the last word of the machine", async () => {
    await using folder = await temporaryDirectory();
    assert.equal(await readPowerState(folder.path), undefined);
    await writePowerState(folder.path, "on");
    assert.equal(await readPowerState(folder.path), "on");
    await writePowerState(folder.path, "off");
    assert.equal(await readPowerState(folder.path), "off");
    await writeFile(join(folder.path, "state"), "sideways");
    assert.equal(await readPowerState(folder.path), undefined);
  });

  it("keeps how the machine ended, and knows an end of an earlier run", async () => {
    await using folder = await temporaryDirectory();
    assert.equal(await readDeath(folder.path), undefined);
    await writePowerState(folder.path, "on");
    await writeDeath(folder.path, death);
    const at = (iso: string): Promise<void> => utimes(join(folder.path, "state"), new Date(iso), new Date(iso));
    await at("2026-01-01T00:00:05Z");
    assert.deepEqual(await readDeath(folder.path, "last-state"), death);
    await at("2026-01-01T00:00:20Z");
    assert.equal(await readDeath(folder.path, "last-state"), undefined);
    assert.deepEqual(await readDeath(folder.path), death);
    await writeFile(join(folder.path, "death.json"), '{"time":');
    assert.equal(await readDeath(folder.path), undefined);
  });
});
