import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createManualClock, type ManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { Operation, OperationReport } from "@talos-ts/machinery/resources/runtime";
import { mountEverythingAt } from "../internal/testing.ts";
import { operationsController } from "./operations.ts";

const start = Date.parse("2026-01-01T00:00:00Z");

async function machine(clock: ManualClock = createManualClock(start)) {
  const directory = await temporaryDirectory();
  const folder = join(directory.path, "state");
  await mkdir(folder);
  return {
    folder,
    boot: () =>
      controllerTest({
        register: [operationsController({ root: directory.path, clock }), mountEverythingAt("/state")],
      }),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

function report(id: string, fields: Partial<Parameters<typeof OperationReport.spec>[0]> = {}) {
  const at = new Date(start).toISOString();
  const spec = { kind: "upgrade-k8s", steps: ["a", "b"], done: 1, state: "running", started: at, updated: at };
  return createResource(
    OperationReport,
    id,
    OperationReport.spec({ ...spec, deadline: "2026-01-01T01:00:00Z", ...fields }),
  );
}

describe("operationsController()", () => {
  it("shows what is reported, and keeps it over a restart", async () => {
    await using at = await machine();
    {
      await using kit = at.boot();
      await kit.create(report("one"), report("two", { state: "failed", error: "no quorum" }));
      await kit.assertResource(Operation, "one", ({ spec }) => {
        assert.equal(spec.state, "running");
        assert.equal(spec.step, "b");
      });
      await kit.assertResource(Operation, "two", ({ spec }) => assert.equal(spec.error, "no quorum"));
      await kit.settled();
    }
    await using kit = at.boot();
    await kit.assertResource(Operation, "two", ({ spec }) => assert.equal(spec.state, "failed"));
    await kit.assertResource(Operation, "one", ({ spec }) => assert.equal(spec.done, 1));
  });
  it("takes a sequence that took the machine down for done", async () => {
    await using at = await machine();
    {
      await using kit = at.boot();
      await kit.create(report("reboot", { kind: "reboot", deadline: "" }));
      await kit.assertResource(Operation, "reboot", ({ spec }) => assert.equal(spec.state, "running"));
      await kit.settled();
    }
    await using kit = at.boot();
    await kit.assertResource(Operation, "reboot", ({ spec }) => assert.equal(spec.state, "done"));
  });
  it("calls an operation lost whose client has not reported for a minute", async () => {
    const clock = createManualClock(start + 61_000);
    await using at = await machine(clock);
    await using kit = at.boot();
    await kit.create(report("one"));
    await kit.assertResource(Operation, "one", ({ spec }) => {
      assert.equal(spec.state, "lost");
      assert.equal(spec.next, "talosctl upgrade-k8s");
    });
  });
  it("names the command that goes on, where the client told it", async () => {
    const clock = createManualClock(start + 61_000);
    await using at = await machine(clock);
    await using kit = at.boot();
    await kit.create(report("one", { kind: "reboot", next: "talosctl reboot --rolling" }));
    await kit.assertResource(Operation, "one", ({ spec }) => {
      assert.equal(spec.state, "lost");
      assert.equal(spec.next, "talosctl reboot --rolling");
    });
  });
  it("fails an operation at its deadline, whatever its client says", async () => {
    const deadline = start + 3_600_000;
    const clock = createManualClock(deadline - 1000);
    await using at = await machine(clock);
    await using kit = at.boot();
    const updated = new Date(deadline - 1000).toISOString();
    await kit.create(report("one", { updated }));
    await kit.assertResource(Operation, "one", ({ spec }) => assert.equal(spec.state, "running"));
    await kit.settled();
    await clock.advance(1001);
    await kit.create(report("two", { updated }));
    await kit.assertResource(Operation, "one", ({ spec }) => {
      assert.equal(spec.state, "failed");
      assert.match(spec.error, /^not done at its deadline, 2026-01-01T01:00:00Z, during "b"/);
    });
  });
  it("believes a report that comes after the clock was set back", async () => {
    const clock = createManualClock(start + 600_000);
    await using at = await machine(clock);
    await using kit = at.boot();
    await kit.create(report("one", { updated: new Date(start + 539_000).toISOString() }));
    await kit.assertResource(Operation, "one", ({ spec }) => assert.equal(spec.state, "lost"));
    await kit.update(OperationReport, "one", (spec) => ({
      ...spec,
      state: "done",
      done: 2,
      updated: new Date(start).toISOString(),
    }));
    await kit.assertResource(Operation, "one", ({ spec }) => assert.equal(spec.state, "done"));
  });
  it("begins anew with a file that is damaged", async () => {
    await using at = await machine();
    await writeFile(join(at.folder, "operations.json"), "[");
    await using kit = at.boot();
    await kit.create(report("one"));
    await kit.assertResource(Operation, "one", ({ spec }) => assert.equal(spec.state, "running"));
  });
});
