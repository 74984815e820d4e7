import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runCommand } from "../testing/run-command.ts";

describe("commands that upstream took back", () => {
  for (const [words, instead] of [
    [["crashdump"], "talosctl support"],
    [["disks", "-n", "10.5.0.2"], "talosctl get disks"],
    [["interfaces"], "talosctl get addresses"],
    [["route"], "talosctl get routes"],
  ] as const) {
    it(`${words[0]} names ${instead}, and is in no list`, async () => {
      const { out, err, code } = await runCommand(words);
      assert.deepEqual([out, code], ["", 1]);
      assert.match(err, /^`talosctl \w+` is deprecated, please use `talosctl .*` instead\n/);
      assert.ok(err.endsWith(`next: ${instead}\n`), err);
      const help = await runCommand(["--help"]);
      assert.ok(!help.out.split("\n").some((line) => line.trim().startsWith(`${words[0]} `)));
    });
  }
});
