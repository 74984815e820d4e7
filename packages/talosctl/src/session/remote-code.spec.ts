import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { remoteCodeOf } from "./remote-code.ts";

describe("remoteCodeOf()", () => {
  it("finds the code below the errors around it", () => {
    const sent = new OsError({ kind: "not-found", message: "a", details: { remoteCode: "file/ENOENT" } });
    const around = new OsError({ kind: "not-found", message: "b", cause: sent });
    assert.equal(remoteCodeOf(new OsError({ kind: "not-found", message: "c", cause: around })), "file/ENOENT");
    assert.equal(remoteCodeOf(new Error("plain", { cause: sent })), undefined);
  });
});
