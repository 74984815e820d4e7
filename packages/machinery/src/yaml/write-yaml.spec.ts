import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { writeYaml } from "./write-yaml.ts";

describe("writeYaml()", () => {
  it("T-71: indents what is inside list items as clients of Talos print it", () => {
    const binding = { kind: "ClusterRoleBinding", metadata: { name: "a" }, subjects: [{ kind: "Group" }] };
    assert.equal(
      writeYaml([binding]),
      "- kind: ClusterRoleBinding\n  metadata:\n    name: a\n  subjects:\n    - kind: Group\n",
    );
  });
  it("leaves out what is not there", () => {
    assert.equal(writeYaml({ a: undefined, b: null, c: [], d: 12n }), "b: null\nc: []\nd: 12\n");
    assert.equal(writeYaml(undefined), "");
  });
});
