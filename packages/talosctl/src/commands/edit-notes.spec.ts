import assert from "node:assert/strict";
import { test } from "node:test";
import { withNotes, withoutNotes } from "./edit-notes.ts";

test("withoutNotes() gives back what withNotes() got, with its own comments at the top", () => {
  const text = "# mine\n\n# also mine\nmachine: {}\n";
  const notes = ["Editing a node", "line 3: refused"];
  assert.equal(withNotes(text, notes), `# Editing a node\n# line 3: refused\n${text}`);
  assert.equal(withoutNotes(withNotes(text, notes), notes), text);
  assert.equal(withoutNotes(text, notes), text);
  assert.equal(withoutNotes("# Editing a node\n", notes), "");
});
