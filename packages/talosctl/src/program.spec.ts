import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandEntry, Invocation } from "./command.ts";
import { runProgram } from "./program.ts";

function setUp(): {
  readonly run: (...argv: string[]) => Promise<void>;
  readonly loaded: string[];
  readonly calls: Invocation[];
  text: () => string;
} {
  const loaded: string[] = [];
  const calls: Invocation[] = [];
  let out = "";
  const entry = (name: string, aliases: readonly string[] = []): CommandEntry => ({
    name,
    aliases,
    summary: `The ${name} command`,
    load: async () => {
      loaded.push(name);
      return {
        command: {
          arguments: [{ spec: "[id]", description: "what" }],
          options: [{ flags: "-o, --output <format>", description: "format", default: "table" }],
          examples: [`talosctl ${name}`],
          run: async (invocation) => {
            calls.push(invocation);
          },
        },
      };
    },
  });
  const entries: CommandEntry[] = [
    entry("get", ["g"]),
    entry("services", ["service"]),
    { ...entry("reset"), destructive: true },
    { name: "config", summary: "Client configuration", subcommands: [entry("info"), entry("merge")] },
  ];
  const io = {
    out: (text: string) => void (out += text),
    err: () => undefined,
    env: {},
    isTerminal: false,
    columns: 80,
  };
  const { signal } = new AbortController();
  const options = { name: "talosctl", description: "A CLI", entries, io, signal };
  return { run: (...argv) => runProgram(options, argv), loaded, calls, text: () => out };
}

describe("runProgram()", () => {
  it("loads only the command that is called", async () => {
    const { run, loaded, calls } = setUp();
    await run("get", "members", "-n", "10.5.0.2,10.5.0.3", "-n", "c", "-o", "json");
    assert.deepEqual([...new Set(loaded)], ["get"]);
    assert.deepEqual(calls.at(-1)?.args, ["members"]);
    assert.deepEqual(calls.at(-1)?.global.nodes, ["10.5.0.2", "10.5.0.3", "c"]);
    assert.equal(calls.at(-1)?.options["output"], "json");
  });
  it("takes node flags before the command too", async () => {
    const { run, calls } = setUp();
    await run("-n", "10.5.0.2", "get", "members");
    assert.deepEqual(calls[0]?.global.nodes, ["10.5.0.2"]);
  });
  it("knows switches by both of their spellings, and by =true and =false", async () => {
    const values: Record<string, unknown>[] = [];
    const options = [
      { flags: "--wait", description: "", default: true },
      { flags: "--no-reboot", description: "" },
    ];
    const run = async ({ options: { wait, reboot } }: Invocation) => void values.push({ wait, reboot });
    const entries = [{ name: "up", summary: "", load: async () => ({ command: { options, run } }) }];
    const io = { out: () => undefined, err: () => undefined, env: {}, isTerminal: false, columns: 80 };
    const program = { name: "talosctl", description: "", entries, io, signal: new AbortController().signal };
    for (const words of ["", "--wait=false --no-reboot", "--no-wait --no-reboot=true", "--no-reboot=false"])
      await runProgram(program, ["up", ...words.split(" ").filter((word) => word !== "")]);
    assert.deepEqual(values, [
      { wait: true, reboot: true },
      { wait: false, reboot: false },
      { wait: false, reboot: false },
      { wait: true, reboot: true },
    ]);
  });
  it("takes values behind = of short flags too, as scripts write them", async () => {
    const { run, calls } = setUp();
    await run("-n=10.5.0.2", "get", "-o=json", "-n=a,b");
    assert.deepEqual(calls[0]?.global.nodes, ["10.5.0.2", "a", "b"]);
    assert.equal(calls[0]?.options["output"], "json");
    await run("get", "-n", "-o=json");
    assert.deepEqual(calls[1]?.global.nodes, ["-o=json"], "a word after a flag that takes one is its value");
  });
  it("knows short switches by =true and =false", async () => {
    const values: unknown[] = [];
    const options = [{ flags: "-m, --merge", description: "", default: true }];
    const merge = async (invocation: Invocation) => void values.push(invocation.options["merge"]);
    const entries = [{ name: "up", summary: "", load: async () => ({ command: { options, run: merge } }) }];
    const io = { out: () => undefined, err: () => undefined, env: {}, isTerminal: false, columns: 80 };
    const program = { name: "talosctl", description: "", entries, io, signal: new AbortController().signal };
    for (const word of ["-m", "-m=true", "-m=false"]) await runProgram(program, ["up", word]);
    assert.deepEqual(values, [true, true, false]);
  });
  it("lets lists that are given replace a default, and joins them", async () => {
    const values: unknown[] = [];
    const options = [{ flags: "--platform <list>", description: "", list: true, default: ["linux/amd64"] }];
    const run = async (invocation: Invocation) => void values.push(invocation.options["platform"]);
    const entries = [{ name: "up", summary: "", load: async () => ({ command: { options, run } }) }];
    const io = { out: () => undefined, err: () => undefined, env: {}, isTerminal: false, columns: 80 };
    const program = { name: "talosctl", description: "", entries, io, signal: new AbortController().signal };
    await runProgram(program, ["up"]);
    await runProgram(program, ["up", "--platform", "a,b", "--platform", "c"]);
    assert.deepEqual(values, [["linux/amd64"], ["a", "b", "c"]]);
  });
  it("finds aliases and subcommands", async () => {
    const { run, loaded } = setUp();
    await run("g");
    await run("config", "info");
    assert.deepEqual(loaded, ["get", "info"]);
  });
  it("shows every command and its summary without loading any", async () => {
    const { run, loaded, text } = setUp();
    await assert.rejects(run("--help"), { code: "commander.helpDisplayed" });
    assert.match(text(), /services\|service/);
    assert.deepEqual(loaded, []);
  });
  it("shows help for the program, a group, and with the word help", async () => {
    for (const [argv, expected] of [
      [[], /Usage: talosctl \[options\]/],
      [["config"], /Usage: talosctl config/],
      [["help"], /Usage: talosctl \[options\]/],
      [["help", "config", "info"], /Usage: talosctl config info/],
    ] as const) {
      const { run, text } = setUp();
      await run(...argv).catch((err: { readonly exitCode: number }) => assert.equal(err.exitCode, 0));
      assert.match(text(), expected);
    }
  });
  it("refuses a word that is no command, also with --help, and never suggests what erases", async () => {
    const { run } = setUp();
    const unknown = { code: "cli/unknown-command" };
    await assert.rejects(run("servises"), {
      ...unknown,
      message: 'unknown command "servises" for "talosctl", did you mean "services"?',
    });
    await assert.rejects(run("nosuch", "--help"), { ...unknown, message: 'unknown command "nosuch" for "talosctl"' });
    await assert.rejects(run("config", "nosuch"), { ...unknown, next: "talosctl config --help" });
    await assert.rejects(run("reste"), { ...unknown, message: 'unknown command "reste" for "talosctl"' });
  });
  it("refuses flags and arguments that a command does not take, and names its help", async () => {
    const { run } = setUp();
    const usage = { code: "cli/usage" };
    await assert.rejects(run("get", "--outptu", "json"), {
      ...usage,
      message: "unknown flag: --outptu, did you mean --output?",
      next: "talosctl get --help",
    });
    await assert.rejects(run("config", "info", "-o"), {
      ...usage,
      message: "flag needs an argument: --output",
      next: "talosctl config info --help",
    });
    await assert.rejects(run("--nosuch", "get"), {
      ...usage,
      message: "unknown flag: --nosuch",
      next: "talosctl --help",
    });
  });
  it("shows flags and examples of one command", async () => {
    const { run, text } = setUp();
    await assert.rejects(run("get", "--help"), { code: "commander.helpDisplayed" });
    assert.match(text(), /--output <format>[^]*Examples:\n {2}talosctl get/);
  });
});
