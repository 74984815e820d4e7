import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import type { CommandEntry, Invocation } from "../command.ts";
import { findCandidates } from "./candidates.ts";
import { completionScripts } from "./scripts.ts";

const entries: readonly CommandEntry[] = [
  {
    name: "get",
    aliases: ["g"],
    summary: "Get resources",
    load: async () => ({
      command: {
        arguments: [
          { spec: "<type>", description: "", suggest: async () => ["member", "machineconfig"] },
          { spec: "[id]", description: "" },
        ],
        options: [
          { flags: "-o, --output <format>", description: "format", choices: ["table", "yaml"] },
          { flags: "-w, --watch", description: "watch" },
          { flags: "--old", description: "old", hidden: true },
        ],
        run: async () => undefined,
      },
    }),
  },
  { name: "config", summary: "Configuration", subcommands: [{ name: "info", summary: "Info" }] },
  { name: "secret", summary: "", hidden: true },
];

const invocation = { entries } as unknown as Invocation;
const values = async (...words: string[]): Promise<string[]> =>
  (await findCandidates(words, invocation)).map(({ value }) => value);

describe("findCandidates()", () => {
  it("offers commands and their subcommands, but no hidden ones", async () => {
    assert.deepEqual(await values(""), ["get", "config"]);
    assert.deepEqual(await values("co"), ["config"]);
    assert.deepEqual(await values("config", ""), ["info"]);
  });
  it("offers the flags of a command and those that choose nodes", async () => {
    const flags = await values("get", "-");
    assert.ok(flags.includes("--watch") && flags.includes("--nodes"));
    assert.ok(!flags.includes("--old"));
  });
  it("offers values of flags and of arguments", async () => {
    assert.deepEqual(await values("get", "-o", ""), ["table", "yaml"]);
    assert.deepEqual(await values("g", "-w", "ma"), ["machineconfig"]);
    assert.deepEqual(await values("get", "-n", "10.5.0.2", "mem"), ["member"]);
    assert.deepEqual(await values("get", "member", ""), []);
  });
});

describe("completionScripts", () => {
  it("are scripts that bash can read and use", () => {
    const test = `talosctl() { printf '%s\\tx\\n' "$@"; }
${completionScripts["bash"] ?? ""}
COMP_WORDS=(talosctl get mem) COMP_CWORD=2
_talosctl
printf '%s,' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", test], { encoding: "utf8" });
    assert.deepEqual([stdout, stderr], ["__complete,--,get,mem,", ""]);
  });
});
