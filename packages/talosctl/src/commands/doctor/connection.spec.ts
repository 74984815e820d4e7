import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { startFakeNode } from "../../testing/fake-node.ts";

describe("talosctl doctor connection", () => {
  for (const [what, addresses, machineType, expected] of [
    [
      "a virtual IP",
      ["10.5.0.2"],
      "controlplane",
      /✖ 127\.0\.0\.1 is the address of no machine: a virtual IP.*\n  next: talosctl config endpoint 10\.5\.0\.2\n/,
    ],
    ["a worker", ["127.0.0.1"], "worker", /✖ 127\.0\.0\.1 is a worker \(m-1\), which forwards no calls\n/],
  ] as const) {
    it(`knows ${what} that is used as endpoint`, async () => {
      await using node = await startFakeNode({
        types: [Member],
        machine: { version: () => ({ messages: [{ version: { tag: "v1.13.9" } }] }) },
      });
      const spec = Member.spec({ hostname: "m-1", machineType, addresses: [...addresses] });
      await node.state.create(createResource(Member, "m-1", spec));
      const { out, err, code } = await node.run("doctor", "connection");
      assert.equal(code, 0, err);
      assert.match(out, expected);
    });
  }
});
