import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { joinErrors } from "@talos-ts/machinery/client";
import { describeFailure } from "./rpc-status.ts";

const ofNode = (node: string, kind: OsError["kind"], text: string): OsError =>
  new OsError({ kind, code: "client/node-failed", message: `${node}: ${text}`, details: { node } });

describe("describeFailure()", () => {
  it("spells the status of one node as grpc-go does, below what was tried", () => {
    const cause = ofNode("10.5.0.2", "not-found", "stat /x: no such file or directory");
    const { kind, code } = cause;
    const error = new OsError({ kind, code, message: `error reading: ${cause.message}`, cause });
    const expected = "10.5.0.2: rpc error: code = NotFound desc = stat /x: no such file or directory";
    assert.equal(describeFailure(cause), expected);
    assert.equal(describeFailure(error), `error reading: ${expected}`);
  });
  it("spells each status of several nodes", () => {
    const errors = [ofNode("a", "unavailable", "no answer"), ofNode("b", "deadline-exceeded", "no answer")];
    assert.equal(
      describeFailure(joinErrors(errors)),
      "a: rpc error: code = Unavailable desc = no answer; b: rpc error: code = DeadlineExceeded desc = no answer",
    );
  });
  it("spells the same status of several nodes that were asked one after the other", () => {
    const cause = new OsError({ kind: "not-found", code: "grpc/not-found", message: "no such thing" });
    const error = new OsError({ kind: "not-found", message: "a: no such thing; b: no such thing", cause });
    const status = "rpc error: code = NotFound desc = no such thing";
    assert.equal(describeFailure(error), `a: ${status}; b: ${status}`);
  });
  it("spells a status that the call ended with, once", () => {
    const status = new OsError({
      kind: "permission-denied",
      code: "grpc/permission-denied",
      message: "not authorized",
    });
    const expected = "rpc error: code = PermissionDenied desc = not authorized";
    assert.equal(describeFailure(status), expected);
    assert.equal(
      describeFailure(new OsError({ kind: "unknown", message: `a: ${expected}`, cause: status })),
      `a: ${expected}`,
    );
  });
  it("leaves errors of this side alone", () => {
    assert.equal(describeFailure(new OsError({ kind: "not-found", message: "no such file" })), "no such file");
    assert.equal(describeFailure(new Error("plain")), "plain");
  });
});
