import assert from "node:assert/strict";
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { MachineConfig, MachineConfigHistory } from "@talos-ts/machinery/resources/config";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";
import { mountEverythingAt } from "../internal/testing.ts";
import { configHistoryController } from "./history.ts";

const { active, persistent } = MachineConfig.ids;

async function test() {
  const directory = await temporaryDirectory();
  await mkdir(join(directory.path, "state"));
  const start = () =>
    controllerTest({
      register: [configHistoryController({ root: directory.path, clock: systemClock }), mountEverythingAt("/state")],
    });
  return {
    start,
    folder: join(directory.path, "state"),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

const status = (ready: boolean) =>
  createResource(MachineStatus, MachineStatus.id, MachineStatus.spec({ stage: "running", status: { ready } }));

describe("configHistoryController()", () => {
  it("keeps what the machine was ready with, also over a boot, and not what is only tried", async () => {
    await using at = await test();
    {
      await using kit = at.start();
      await kit.create(
        createResource(MachineConfig, active, "one: 1\n"),
        createResource(MachineConfig, persistent, "one: 1\n"),
        status(false),
      );
      await kit.settled();
      await kit.assertNoResource(MachineConfigHistory, "1");
      await kit.update(MachineStatus, MachineStatus.id, (spec) => ({
        ...spec,
        status: { ...spec.status, ready: true },
      }));
      await kit.assertResource(MachineConfigHistory, "1", ({ spec }) => assert.equal(spec.config, "one: 1\n"));
      await kit.update(MachineConfig, active, () => "tried: 1\n");
      await kit.settled();
      await kit.assertNoResource(MachineConfigHistory, "2");
      await kit.update(MachineConfig, persistent, () => "tried: 1\n");
      await kit.assertResource(MachineConfigHistory, "2", ({ spec }) => assert.match(spec.digest, /^[0-9a-f]{12}$/));
      await kit.settled();
    }
    const file = join(at.folder, "config-history.json");
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((JSON.parse(await readFile(file, "utf8")) as unknown[]).length, 2);
    await using kit = at.start();
    await kit.assertResource(MachineConfigHistory, "2", ({ spec }) => assert.equal(spec.config, "tried: 1\n"));
  });
  it("keeps five, and moves one that comes back to the end", async () => {
    await using at = await test();
    await using kit = at.start();
    await kit.create(createResource(MachineConfig, active, "n: 1\n"), status(true));
    for (let count = 2; count <= 6; count += 1) {
      await kit.assertResource(MachineConfigHistory, String(count - 1));
      await kit.update(MachineConfig, active, () => `n: ${String(count)}\n`);
    }
    await kit.assertResource(MachineConfigHistory, "6");
    await kit.assertNoResource(MachineConfigHistory, "1");
    await kit.update(MachineConfig, active, () => "n: 3\n");
    await kit.assertResource(MachineConfigHistory, "7", ({ spec }) => assert.equal(spec.config, "n: 3\n"));
    await kit.assertNoResource(MachineConfigHistory, "3");
    await kit.assertResource(MachineConfigHistory, "2");
  });
});
