import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandEntry } from "../command.ts";
import { commandEntries } from "./index.ts";

/** Adds the entries of all commands that `--help` lists, by their path. */
function addListed(found: Map<string, CommandEntry>, entries: readonly CommandEntry[], parent: string): void {
  for (const entry of entries) {
    if (entry.hidden === true) continue;
    const path = `${parent} ${entry.name}`;
    found.set(path, entry);
    addListed(found, entry.subcommands ?? [], path);
  }
}

describe("commandEntries", () => {
  it("have an example each", async () => {
    const bare: string[] = [];
    const entries = new Map<string, CommandEntry>();
    addListed(entries, commandEntries, "talosctl");
    for (const [path, entry] of entries) {
      const loaded = await entry.load?.();
      if (loaded !== undefined && (loaded.command.examples ?? []).length === 0) bare.push(path);
    }
    assert.deepEqual(bare, []);
  });
});
