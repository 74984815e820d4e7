import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandDefinition, Invocation, OptionDefinition } from "../command.ts";
import { runProgram } from "../program.ts";
import { sameCommand } from "./same-command.ts";

const options: readonly OptionDefinition[] = [
  { flags: "--wait", description: "", default: true },
  { flags: "--reboot", description: "" },
  { flags: "--no-cache", description: "" },
  { flags: "-m, --wipe-mode <mode>", description: "", default: "all" },
  { flags: "--labels <list>", description: "", list: true },
  { flags: "--patch <text>", description: "", repeat: true },
];

/** Runs a command line of a command with these options. @returns the one that repeats it */
async function repeated(words: readonly string[], nodes?: readonly string[]): Promise<string> {
  let found: Invocation | undefined;
  const command: CommandDefinition = {
    options,
    arguments: [{ spec: "[file]", description: "" }],
    run: async (invocation) => void (found = invocation),
  };
  const entry = { name: "erase", summary: "", load: async () => ({ command }) };
  const entries = [{ name: "disk", summary: "", subcommands: [entry] }];
  const io = { out: () => undefined, err: () => undefined, env: {}, isTerminal: false, columns: 80 };
  const { signal } = new AbortController();
  await runProgram({ name: "talosctl", description: "", entries, io, signal }, ["disk", "erase", ...words]);
  assert.ok(found !== undefined);
  return sameCommand(found, nodes);
}

describe("sameCommand()", () => {
  it("has no flag that has its default", async () => {
    assert.equal(await repeated([]), "talosctl disk erase");
    assert.equal(await repeated(["--wait", "--wipe-mode", "all"]), "talosctl disk erase");
  });
  it("keeps every flag that changes what is done", async () => {
    const line = "--wait=false --reboot --no-cache --wipe-mode system-disk --labels EPHEMERAL,STATE --nodes a,b";
    assert.equal(await repeated(line.split(" ")), `talosctl disk erase ${line}`);
  });
  it("is the same line when it is repeated", async () => {
    const once = await repeated([
      "-m",
      "user-disks",
      "--labels",
      "a",
      "--labels",
      "b",
      "-n",
      "a",
      "--on",
      "role=worker",
    ]);
    assert.equal(once, "talosctl disk erase --wipe-mode user-disks --labels a,b --nodes a --on role=worker");
    assert.equal(await repeated(once.split(" ").slice(3)), once);
  });
  it("names the nodes that it is given instead of those of the call", async () => {
    const words = ["--nodes", "a", "--on", "role=worker"];
    assert.equal(await repeated(words, ["a", "b"]), "talosctl disk erase --nodes a,b");
  });
  it("quotes what the shell would take apart", async () => {
    assert.equal(
      await repeated(["it's", "--patch", "{a: 1}", "--patch", "b"]),
      `talosctl disk erase 'it'\\''s' --patch '{a: 1}' --patch b`,
    );
  });
});
