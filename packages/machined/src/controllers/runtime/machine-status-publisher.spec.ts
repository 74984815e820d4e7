import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";
import { MachineStatusEventSchema } from "@talos-ts/proto/machine/event";
import { createEventBus } from "../../events/event-bus.ts";
import { machineStatusPublisherController } from "./machine-status-publisher.ts";

describe("machineStatusPublisherController()", () => {
  it("publishes each status once", async () => {
    const events = createEventBus();
    const published: unknown[] = [];
    events.listen(({ schema, payload }) => {
      assert.equal(schema, MachineStatusEventSchema);
      published.push(payload);
    });
    await using test = controllerTest({ register: [machineStatusPublisherController({ events })] });
    const unmetConditions = [{ name: "time", reason: "time is not synced" }];
    await test.create(
      createResource(
        MachineStatus,
        "machine",
        MachineStatus.spec({ stage: "booting", status: { ready: false, unmetConditions } }),
      ),
    );
    await test.settled();
    await test.update(MachineStatus, "machine", (spec) => ({ ...spec, stage: "running" as const }));
    await test.settled();
    assert.deepEqual(
      published.map((event) => {
        const { stage, status } = event as {
          stage: number;
          status: { unmetConditions: readonly { reason: string }[] };
        };
        return [stage, status.unmetConditions.map(({ reason }) => reason)];
      }),
      [
        [1, ["time is not synced"]],
        [4, ["time is not synced"]],
      ],
    );
  });
});
