import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { isContainerRefusal } from "./reboot-container.ts";

describe("isContainerRefusal()", () => {
  it("knows the answer of a node in a container from other refusals", () => {
    const refused = (message: string): OsError => new OsError({ kind: "failed-precondition", message });
    assert.ok(isContainerRefusal(refused("10.5.0.2: method is not supported in container mode")));
    assert.ok(!isContainerRefusal(refused("sequence not started: locked")));
    assert.ok(!isContainerRefusal(new OsError({ kind: "unavailable", message: "not supported in container mode" })));
  });
});
