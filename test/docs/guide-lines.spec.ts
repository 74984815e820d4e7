import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { guideFiles, guideLines, hasForm, lookCommands } from "./guide-lines.ts";

const text = [
  "Look with `talosctl get links`, not with `talosctl logs <id>`.",
  "",
  "```yaml",
  "# a.yaml",
  "machine: {}",
  "```",
  "",
  "```sh",
  "# A comment.",
  "talosctl validate --config a.yaml",
  "talosctl version",
  "```",
  "",
  "```text",
  "Tag: v1.13…",
  "Arch",
  "```",
  "",
].join("\n");
const page = { path: "a.md", text };

describe("guideLines()", () => {
  it("gives the lines of shell blocks, the last one with the output behind it", () => {
    assert.deepEqual(guideLines(page), [
      { text: "talosctl validate --config a.yaml", shown: [] },
      { text: "talosctl version", shown: ["Tag: v1.13…", "Arch"] },
    ]);
    assert.deepEqual(guideFiles(page), [{ name: "a.yaml", content: "machine: {}\n" }]);
    assert.deepEqual(lookCommands(page), ["talosctl get links"]);
  });
});

describe("hasForm()", () => {
  it("wants every shown line in order, with anything for an ellipsis", () => {
    assert.ok(hasForm("Client\nTag: v1.13.9\nSHA: 1\nArch\n", ["Tag: v1.13…", "Arch"]));
    assert.ok(!hasForm("Arch\nTag: v1.13.9\n", ["Tag: v1.13…", "Arch"]));
    assert.ok(!hasForm("Tag: v1.14.0\nArch\n", ["Tag: v1.13…", "Arch"]));
    assert.ok(hasForm("anything", []));
  });
});
