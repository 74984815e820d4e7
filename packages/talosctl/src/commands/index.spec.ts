import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandEntry } from "../command.ts";
import { commandEntries } from "./index.ts";

/** Entries of all commands that `--help` lists, by their path. */
function listed(entries: readonly CommandEntry[], path: string): [string, CommandEntry][] {
  return entries
    .filter(({ hidden }) => hidden !== true)
    .flatMap((entry) => [
      [`${path} ${entry.name}`, entry] satisfies [string, CommandEntry],
      ...listed(entry.subcommands ?? [], `${path} ${entry.name}`),
    ]);
}

describe("commandEntries", () => {
  it("have an example each", async () => {
    const bare: string[] = [];
    for (const [path, entry] of listed(commandEntries, "talosctl")) {
      const loaded = await entry.load?.();
      if (loaded !== undefined && (loaded.command.examples ?? []).length === 0) bare.push(path);
    }
    assert.deepEqual(bare, []);
  });
});
