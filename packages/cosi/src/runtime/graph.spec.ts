import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { renderGraphviz } from "./graph.ts";

describe("renderGraphviz()", () => {
  it("draws arrows along the data, with style and id", () => {
    const common = { controllerName: "a.B", resourceNamespace: "ns", resourceType: "Notes.x" };
    assert.equal(
      renderGraphviz([
        { ...common, edgeKind: "output-exclusive", resourceId: "" },
        { ...common, edgeKind: "input-weak", resourceId: 'q"' },
        { ...common, edgeKind: "input-strong", resourceId: "" },
      ]),
      [
        "digraph {",
        "  rankdir=LR;",
        '  "a.B" [shape=box];',
        '  "Notes.x" [shape=note];',
        '  "a.B" -> "Notes.x" [style=bold];',
        '  "Notes.x" -> "a.B" [style=dashed,label="q\\""];',
        '  "Notes.x" -> "a.B";',
        "}",
        "",
      ].join("\n"),
    );
  });
});
