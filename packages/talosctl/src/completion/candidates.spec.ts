import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import type { CommandEntry, Invocation } from "../command.ts";
import { findCandidates } from "./candidates.ts";
import { completionScript } from "./scripts.ts";

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

describe("completionScript()", () => {
  /** Lets bash complete `talosctl get mem` with a program that answers two words. */
  function complete(descriptions: boolean, type: number, answer: string): string {
    const test = `talosctl() { printf '%s|' "$@" >&2; printf '${answer}'; }
${completionScript("bash", { descriptions })}
COMP_WORDS=(talosctl get mem) COMP_CWORD=2 COMP_TYPE=${String(type)} COLUMNS=40
_talosctl
printf '%s,' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", test], { encoding: "utf8" });
    assert.equal(stderr, "");
    return stdout;
  }
  const two = String.raw`member\tone of the cluster\nmemory\tfree and used, in a line that is too long\n`;
  it("makes bash list words with what they are for, no wider than the terminal", () => {
    assert.equal(complete(true, 63, two), "member  (one of the cluster),memory  (free and used, in a line that ,");
  });
  it("makes bash insert words alone: the only one, one of a menu, and without descriptions", () => {
    assert.equal(complete(true, 9, String.raw`member\tone of the cluster\n`), "member,");
    assert.equal(complete(true, 37, two), "member,memory,");
    assert.equal(complete(false, 63, String.raw`member\nmemory\n`), "member,memory,");
  });
  it("asks the program for candidates, without descriptions when told so", () => {
    for (const shell of ["bash", "fish", "powershell", "zsh"] as const) {
      assert.match(completionScript(shell, { descriptions: true }), /talosctl __complete (?!--no)/);
      assert.match(completionScript(shell, { descriptions: false }), /talosctl __complete --no-descriptions /);
    }
  });
});
