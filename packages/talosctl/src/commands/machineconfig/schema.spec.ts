import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runCommand } from "../../testing/run-command.ts";

describe("machineconfig schema", () => {
  it("prints the schema that editors take", async () => {
    const { out } = await runCommand(["mc", "schema"]);
    const schema = JSON.parse(out) as { readonly $id: string; readonly oneOf: readonly unknown[] };
    assert.equal(schema.$id, "https://talos.dev/v1.13/schemas/config.schema.json");
    assert.ok(schema.oneOf.length > 40, String(schema.oneOf.length));
  });
});
