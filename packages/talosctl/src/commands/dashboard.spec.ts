import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { Diagnostic, MachineStatus } from "@talos-ts/machinery/resources/runtime";
import type { Terminal } from "../terminal/terminal.ts";
import { deadNode, startFakeNode } from "../testing/fake-node.ts";
import { runCommand } from "../testing/run-command.ts";

/** A terminal that shows what is drawn on it; `onFrame` gets its text after each write, and may type. */
function fakeTerminal(onFrame: (text: string, type: (keys: string) => void) => void): Terminal {
  const [columns, rows] = [120, 40];
  const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => " "));
  let typed: (bytes: Uint8Array) => void = () => undefined;
  return {
    columns,
    rows,
    write(text) {
      // Sequences end with a letter, before the text that they are for; only those that move the cursor matter here.
      let [y, x] = [1, 1];
      for (const part of String(text).split("\u001b[")) {
        const [, parameters = "", final, drawn = ""] = /^([\d;?]*)([a-zA-Z])(.*)$/.exec(part) ?? [];
        if (final === "H") [y = 1, x = 1] = parameters.split(";").map(Number);
        const characters = Array.from(drawn);
        cells[y - 1]?.splice(x - 1, characters.length, ...characters);
        x += characters.length;
      }
      onFrame(cells.map((line) => line.join("")).join("\n"), (keys) => setImmediate(() => typed(Buffer.from(keys))));
    },
    onResize: () => ({ [Symbol.dispose]: () => undefined }),
    takeOver(listener) {
      typed = listener;
      return { [Symbol.dispose]: () => undefined };
    },
  };
}

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
    const terminal = fakeTerminal((text, type) => {
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
