import assert from "node:assert/strict";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { commandMachine, type MachineCommand } from "./command-machine.ts";

/** A QEMU that answers every command with these lines. */
async function startQemu(
  answer: (command: MachineCommand) => readonly object[],
): Promise<AsyncDisposable & { readonly path: string; readonly asked: readonly MachineCommand[] }> {
  const folder = await temporaryDirectory();
  const path = join(folder.path, "qmp");
  const asked: MachineCommand[] = [];
  const server = createServer((socket) => {
    socket.setEncoding("utf8").write('{"QMP": {"version": {}}}\n');
    socket.on("data", (chunk: string) => {
      for (const line of chunk.split("\n").filter(Boolean)) {
        const command = JSON.parse(line) as MachineCommand;
        asked.push(command);
        for (const reply of answer(command)) socket.write(`${JSON.stringify(reply)}\n`);
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  return {
    path,
    asked,
    async [Symbol.asyncDispose]() {
      server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("commandMachine() speaks QEMU's protocol, passes over events, and leaves", async () => {
  await using qemu = await startQemu(() => [{ event: "RESUME" }, { return: {} }]);
  const picture = { execute: "screendump", arguments: { filename: "/tmp/x" } };
  await commandMachine(qemu.path, picture);
  assert.deepEqual(qemu.asked, [{ execute: "qmp_capabilities" }, picture]);
});

test("commandMachine() tells what QEMU refuses", async () => {
  await using qemu = await startQemu(({ execute }) => [
    execute === "screendump" ? { error: { class: "GenericError", desc: "there is no screen" } } : { return: {} },
  ]);
  await assert.rejects(commandMachine(qemu.path, { execute: "screendump" }), {
    code: "provision/qemu-command",
    message: 'Cannot carry out "screendump" on the virtual machine: there is no screen',
  });
});
