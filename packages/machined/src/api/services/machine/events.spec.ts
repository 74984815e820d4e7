import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { TaskEventSchema } from "@talos-ts/proto/machine/event";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { createTestNode } from "../../testing.ts";

const type = "talos/runtime/machine.TaskEvent";

describe("events()", () => {
  it("greets at once, then tells of the past asked for and of everything that happens", async () => {
    await using node = await createTestNode();
    node.machine.events.publish(TaskEventSchema, { task: "old" });
    node.machine.events.publish(TaskEventSchema, { task: "recent" });
    const leave = new AbortController();
    const seen: string[] = [];
    const follow = async (): Promise<void> => {
      for await (const { data } of node.client(MachineService).events({ tailEvents: 1 }, { signal: leave.signal })) {
        const isTask = data?.typeUrl === type;
        seen.push(isTask ? fromBinary(TaskEventSchema, data.value).task : `greeting ${data?.typeUrl ?? ""}`);
        if (seen.length === 1) node.machine.events.publish(TaskEventSchema, { task: "new" });
        if (seen.length === 3) leave.abort();
      }
    };
    await assert.rejects(follow(), { kind: "cancelled" });
    assert.deepEqual(seen, ["greeting ", "recent", "new"]);
  });
  it("says what is wrong with an id", async () => {
    await using node = await createTestNode();
    await assert.rejects(Array.fromAsync(node.client(MachineService).events({ tailId: "x" })), {
      kind: "invalid-argument",
    });
  });
});
