import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runProgram } from "../../program.ts";
import { commandEntries } from "../index.ts";

describe("machineconfig schema", () => {
  it("prints the schema that editors take", async () => {
    let out = "";
    const io = {
      out: (text: string | Uint8Array) => (out += String(text)),
      err: () => {},
      env: {},
      isTerminal: false,
      columns: 80,
    };
    const { signal } = new AbortController();
    await runProgram({ name: "talosctl", description: "", entries: commandEntries, io, signal }, ["mc", "schema"]);
    const schema = JSON.parse(out) as { readonly $id: string; readonly oneOf: readonly unknown[] };
    assert.equal(schema.$id, "https://talos.dev/v1.13/schemas/config.schema.json");
    assert.ok(schema.oneOf.length > 40, String(schema.oneOf.length));
  });
});
