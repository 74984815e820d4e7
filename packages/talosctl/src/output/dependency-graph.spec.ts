import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DependencyEdgeType as EdgeType } from "@talos-ts/proto/inspect/inspect";
import { renderResourceGraph, renderTypeGraph } from "./dependency-graph.ts";

const edge = (controllerName: string, edgeType: EdgeType, resourceType: string, resourceId = "") => ({
  controllerName,
  edgeType,
  resourceType,
  resourceId,
});
const edges = [
  edge("a.Writer", EdgeType.OUTPUT_EXCLUSIVE, "Notes.x"),
  edge("a.Other", EdgeType.OUTPUT_SHARED, "Notes.x"),
  edge("a.Reader", EdgeType.INPUT_WEAK, "Notes.x", "one"),
  edge("a.Reader", EdgeType.INPUT_DESTROY_READY, "Notes.x"),
];

describe("renderTypeGraph()", () => {
  it("draws arrows along the data, and no inputs that only wait for an end", () => {
    assert.equal(
      renderTypeGraph(edges),
      [
        "digraph {",
        '\t"a.Writer"[shape="box"];',
        '\t"a.Other"[shape="box"];',
        '\t"a.Reader"[shape="box"];',
        '\t"Notes.x"[fillcolor="azure2",shape="note",style="filled"];',
        '\t"a.Writer"->"Notes.x"[style="bold"];',
        '\t"a.Other"->"Notes.x"[style="solid"];',
        '\t"Notes.x"->"a.Reader"[label="one",style="dotted"];',
        "}",
        "",
      ].join("\n"),
    );
  });
});

describe("renderResourceGraph()", () => {
  it("leads from a controller to the resources it owns, and from a resource to those that read it", () => {
    const note = (id: string, owner: string) => ({ namespace: "ns", type: "Notes.x", id, owner });
    const text = renderResourceGraph(edges, [note("one", "a.Writer"), note("two", "a.Other")]);
    const group = text.slice(text.indexOf("subgraph"), text.indexOf("}"));
    assert.match(group, /label="Notes\.x";\n.*"ns\/Notes\.x\/one".*\n.*"ns\/Notes\.x\/two"/);
    assert.deepEqual(text.match(/".*->.*/g), [
      '"a.Writer"->"ns/Notes.x/one"[style="solid"];',
      '"a.Other"->"ns/Notes.x/two"[style="solid"];',
      '"ns/Notes.x/one"->"a.Reader"[style="dotted"];',
    ]);
  });
});
