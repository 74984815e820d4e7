import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { Diagnostic, MachineStatus } from "@talos-ts/machinery/resources/runtime";
import { drawnTerminal } from "../terminal/testing.ts";
import { deadNode, startFakeNode } from "../testing/fake-node.ts";
import { runCommand } from "../testing/run-command.ts";

describe("talosctl dashboard", () => {
  it("shows all members, also those that do not answer, and ends with q", { timeout: 60_000 }, async () => {
    await using node = await startFakeNode({
      types: [Diagnostic, MachineStatus, Member],
      machine: {
        serviceList: async () => ({ messages: [{ services: [{ id: "apid", state: "Running" }] }] }),
        async *logs() {
          yield { bytes: Buffer.from("a line of the log\n") };
        },
      },
    });
    for (const [id, address] of [
      ["cp-1", "127.0.0.1"],
      ["w-1", deadNode],
    ] as const) {
      const machineType = id === "cp-1" ? "controlplane" : "worker";
      await node.state.create(
        createResource(Member, id, Member.spec({ machineType, hostname: id, addresses: [address] })),
      );
    }
    await node.state.create(createResource(Diagnostic, "d-1", Diagnostic.spec({ message: "something is wrong" })));
    let pressed = false;
    const terminal = drawnTerminal((text, type) => {
      const wanted = ["cp-1", "w-1", "something is wrong (d-1)", "a line of the log"];
      if (pressed || !wanted.every((each) => text.includes(each))) return;
      pressed = true;
      type("q");
    });
    const env = { HOME: node.folder, TALOSCONFIG: `${node.folder}/talosconfig` };
    const result = await runCommand(["dashboard", "-d", "200ms"], { env, terminal });
    assert.deepEqual([result.err, result.code], ["", 0]);
  });

  it("says what to do without a terminal, and refuses intervals that would only cost", async () => {
    const none = await runCommand(["dashboard"], { env: { HOME: "/nonexistent" } });
    assert.equal(none.code, 1);
    assert.match(none.err, /not a terminal\nnext: talosctl health/);
    const often = await runCommand(["dashboard", "-d", "1ms"], { env: { HOME: "/nonexistent" } });
    assert.match(often.err, /expected 200ms or more/);
  });
});
