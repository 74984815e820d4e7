import assert from "node:assert/strict";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { pressPowerButton } from "./press-power-button.ts";

test("pressPowerButton() speaks QEMU's protocol and leaves", async () => {
  await using folder = await temporaryDirectory();
  const path = join(folder.path, "qmp");
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.setEncoding("utf8").write('{"QMP": {"version": {}}}\n');
    socket.on("data", (chunk: string) => {
      for (const line of chunk.split("\n").filter(Boolean)) {
        asked.push((JSON.parse(line) as { readonly execute: string }).execute);
        socket.write('{"return": {}}\n');
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  try {
    await pressPowerButton(path);
    assert.deepEqual(asked, ["qmp_capabilities", "system_powerdown"]);
  } finally {
    server.close();
  }
});
