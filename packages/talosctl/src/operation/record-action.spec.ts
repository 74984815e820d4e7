import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { answersOf, startFakeNode } from "../testing/fake-node.ts";

const [first, second] = ["10.5.0.2", "10.5.0.3"] as const;

/** Erases the first node of a cluster with these control planes. @returns what was reported, as `<keeper> <state> <done>`, and the output */
async function reset(controlPlanes: readonly string[], ...flags: readonly string[]) {
  const reports: string[] = [];
  const commands = new Set<string>();
  await using node = await startFakeNode({
    types: [Member],
    machine: {
      reset: (_request, context) => ({ messages: answersOf(context, () => ({ actorId: "actor" })) }),
      // oxlint-disable-next-line require-yield -- a machine that goes down at once
      async *events() {
        throw new OsError({ kind: "unavailable", message: "gone" });
      },
    },
    operation: {
      report: ({ state, done, title, next }, context) => {
        commands.add(next);
        reports.push(`${context.metadata.get("node") ?? ""} ${title} ${state} ${String(done)}`);
        return { messages: [{}] };
      },
    },
  });
  for (const address of controlPlanes) {
    const spec = Member.spec({ machineType: "controlplane", addresses: [address] });
    await node.state.create(createResource(Member, address, spec));
  }
  return { reports, commands, ...(await node.run("reset", "-n", first, ...flags)) };
}

describe("recordAction()", () => {
  it("has a reset kept by a control plane that is not erased", async () => {
    const { reports, err, code } = await reset([first, second]);
    assert.equal(code, 0, err);
    assert.deepEqual(
      reports,
      ["running 0", "running 1", "done 1"].map((told) => `${second} ${first} ${told}`),
    );
    assert.match(err, /^operation [0-9a-f-]{36}, see talosctl --nodes 10\.5\.0\.3 operations\n10\.5\.0\.2: is down\n$/);
  });
  it("has the flags kept with it that say what is erased", async () => {
    const { commands } = await reset([first, second], "--system-labels-to-wipe", "EPHEMERAL", "--graceful=false");
    const flags = "--graceful=false --system-labels-to-wipe EPHEMERAL";
    assert.deepEqual(commands, new Set([`talosctl reset ${flags} --nodes ${first}`, ""]));
  });
  it("says that nobody keeps the reset of the only control plane, and does it", async () => {
    const { reports, err, code } = await reset([first]);
    assert.equal(code, 0, err);
    assert.deepEqual(reports, []);
    assert.match(err, /10\.5\.0\.2: is down/);
    assert.match(err, /no other control plane keeps a record of this reset/);
  });
});
