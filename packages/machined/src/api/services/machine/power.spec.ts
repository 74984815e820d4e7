import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { roles } from "@talos-ts/machinery/roles";
import { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { RebootRequest_Mode, ResetRequest_WipeMode } from "@talos-ts/proto/machine/power";
import { createTestNode } from "../../testing.ts";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { reboot } from "./reboot.ts";
import { rollback } from "./rollback.ts";
import { shutdown } from "./shutdown.ts";
import { upgrade } from "./upgrade.ts";

const refusal = { kind: "failed-precondition", message: "method is not supported in container mode" };

describe("what needs hardware", () => {
  it("is refused in a container with the known text", async () => {
    await using node = await createTestNode();
    const client = node.client(MachineService);
    await assert.rejects(client.reboot({}), refusal);
    await assert.rejects(client.shutdown({}), refusal);
    await assert.rejects(client.upgrade({}), refusal);
    await assert.rejects(client.rollback({}), refusal);
    await assert.rejects(client.metaWrite({ key: 1 }), refusal);
    await assert.rejects(node.client(MachineService, roles.metaWriter).metaDelete({ key: 1 }), refusal);
    assert.deepEqual(node.sequences, []);
  });
  it("is refused by the lifecycle service in its own words", async () => {
    await using node = await createTestNode();
    const client = node.client(LifecycleService);
    await assert.rejects(Array.fromAsync(client.install({})), {
      message: "installation is not supported in container mode",
    });
    await assert.rejects(Array.fromAsync(client.upgrade({})), {
      message: "upgrade is not supported in container mode",
    });
  });
  it("starts the sequence elsewhere and names the actor", async () => {
    await using node = await createTestNode();
    const machine = { ...node.machine, platform: { ...node.machine.platform, mode: "metal" } } as const;
    const context = {} as Parameters<ReturnType<typeof reboot>>[1];
    const forced = { mode: RebootRequest_Mode.FORCE } as Parameters<ReturnType<typeof reboot>>[0];
    const answer = await reboot(machine)(forced, context);
    const actorId = answer.messages?.[0]?.actorId ?? "";
    assert.match(actorId, /^[0-9a-f-]{36}$/);
    await shutdown(machine)({ force: false } as Parameters<ReturnType<typeof shutdown>>[0], context);
    assert.deepEqual(
      node.sequences.map(({ name, takeOver, request }) => [name, takeOver, request.force]),
      [
        ["reboot", false, true],
        ["shutdown", true, false],
      ],
    );
    assert.equal(node.sequences[0]?.request.actorId, actorId);
  });
});

describe("rollback() and upgrade() of a machine with hardware of its own", () => {
  const metal = (machine: ApiDependencies) =>
    ({ ...machine, platform: { ...machine.platform, mode: "metal" } }) as const;
  const context = { signal: new AbortController().signal } as Parameters<ReturnType<typeof rollback>>[1];
  const request = (fields: object) => fields as Parameters<ReturnType<typeof upgrade>>[0];

  it("reboot into the other version", async () => {
    await using node = await createTestNode();
    const entry = { id: "talos-v1.13.8", version: "v1.13.8", generation: 3, kernel: "/EFI/talos/talos-v1.13.8.efi" };
    const machine = { ...metal(node.machine), bootLoader: { rollBack: async () => entry } };
    assert.deepEqual(await rollback(machine)({} as never, context), { messages: [{}] });
    assert.deepEqual(
      node.sequences.map(({ name }) => name),
      ["reboot"],
    );
  });
  it("change nothing on a machine without a boot loader", async () => {
    await using node = await createTestNode();
    await assert.rejects(async () => rollback(metal(node.machine))({} as never, context), {
      code: "boot/no-efi-partition",
    });
    assert.deepEqual(node.sequences, []);
  });
  it("refuse what names no image, and what has nothing to wait for", async () => {
    await using node = await createTestNode();
    const call = upgrade(metal(node.machine));
    await assert.rejects(async () => call(request({ image: "" }), context), { code: "boot/no-image" });
    await assert.rejects(async () => call(request({ image: "a", stage: true }), context), { code: "upgrade/stage" });
    assert.deepEqual(node.sequences, []);
  });
});

describe("reset()", () => {
  it("runs the sequence and names the actor", async () => {
    await using node = await createTestNode();
    const [answer] = (await node.client(MachineService).reset({ graceful: true, reboot: true })).messages;
    assert.deepEqual(node.sequences, [
      { name: "reset", request: { graceful: true, reboot: true, actorId: answer?.actorId }, takeOver: false },
    ]);
  });
  it("wipes all or nothing: a part that cannot be wiped alone is refused", async () => {
    await using node = await createTestNode();
    const client = node.client(MachineService);
    await assert.rejects(client.reset({ systemPartitionsToWipe: [{ label: "EPHEMERAL", wipe: true }] }), {
      message: "reset failed: cannot wipe EPHEMERAL alone, only the whole state of this machine",
    });
    await assert.rejects(client.reset({ userDisksToWipe: ["/dev/sdz"] }), {
      message: "reset user disk failed: device /dev/sdz wasn't found",
    });
    await assert.rejects(
      client.reset({ userDisksToWipe: ["/dev/sdz"], mode: ResetRequest_WipeMode.SYSTEM_DISK }),
      /wipe mode SYSTEM_DISK doesn't support UserDisksToWipe parameter/,
    );
    await assert.rejects(client.reset({ mode: ResetRequest_WipeMode.USER_DISKS }), /no user disks/);
    assert.deepEqual(node.sequences, []);
  });
});
