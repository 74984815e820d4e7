import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { findDefinition, resourceDefinitions } from "@talos-ts/machinery/resources";
import { commandEntries, runProgram, type CommandEntry } from "@talos-ts/talosctl";
import { root } from "../../scripts/lib/step.ts";
import { commandLines, pages, splitWords } from "./documents.ts";

/** The same commands, which only tell what they were called with. */
function inert(entries: readonly CommandEntry[], called: (words: readonly string[]) => void): readonly CommandEntry[] {
  return entries.map((entry) => {
    const { load, subcommands } = entry;
    return {
      ...entry,
      ...(subcommands !== undefined && { subcommands: inert(subcommands, called) }),
      ...(load !== undefined && {
        load: async () => {
          const { command } = await load();
          return { command: { ...command, run: async ({ args }) => called([entry.name, ...args]) } };
        },
      }),
    };
  });
}

async function parse(words: readonly string[]): Promise<readonly string[]> {
  const calls: (readonly string[])[] = [];
  const io = { out: () => {}, err: () => {}, env: {}, isTerminal: false, columns: 80 };
  const entries = inert(commandEntries, (call) => void calls.push(call));
  const { signal } = new AbortController();
  await runProgram({ name: "talosctl", description: "", entries, io, signal }, words);
  assert.equal(calls.length, 1, "no command was called");
  return calls[0] ?? [];
}

describe("command lines in the documentation", () => {
  for (const page of pages()) {
    for (const { text, words } of commandLines(page, "talosctl")) {
      it(`${page.path}: ${text}`, async () => {
        const [command, type = ""] = await parse(words);
        if (command === "get" && !type.startsWith("<") && type !== "rd") findDefinition(resourceDefinitions(), type);
      });
    }
    const scripts = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };
    for (const { text, words } of commandLines(page, "npm run")) {
      it(`${page.path}: ${text}`, async () => {
        const [name = "", ...rest] = words.filter((word) => word !== "-s");
        assert.ok(name in scripts.scripts, name);
        if (name === "talosctl") await parse(rest.slice(1));
        if (name === "up") await parse(["cluster", "create", ...rest.slice(1)]);
      });
    }
  }
  it("are found", () => {
    const count = pages().reduce((sum, page) => sum + commandLines(page, "talosctl").length, 0);
    assert.ok(count > 80, String(count));
  });
  it("splitWords() takes quotes away and stops at pipes", () => {
    assert.deepEqual(splitWords(`a -o jsonpath='{.a b}' "c d" | e`), ["a", "-o", "jsonpath={.a b}", "c d"]);
  });
});
