import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogStore } from "./log-store.ts";

describe("createLogStore()", () => {
  it("names the logs there are when one is unknown", () => {
    const logs = createLogStore();
    for (const id of ["machined", "apid"]) logs.open(id);
    assert.throws(() => logs.get("api"), {
      code: "logs/not-found",
      message: 'log "api" was not registered',
      next: /^talosctl logs <id>, with one of apid, machined;/,
    });
    assert.equal(logs.get("apid"), logs.open("apid"));
  });
});
