import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, isCode } from "@talos-ts/base";
import { Operation } from "@talos-ts/machinery/resources/runtime";
import { formerOperation, type KeptOperation } from "./former-operation.ts";

const clock = createManualClock(Date.parse("2026-01-01T00:30:00Z"));
const wanted = { kind: "reboot", title: "a, b" };

function kept(id: string, fields: Parameters<typeof Operation.spec>[0]): KeptOperation {
  const common = { ...wanted, state: "failed", started: "2026-01-01T00:00:00Z", deadline: "2026-01-01T01:00:00Z" };
  return { ...Operation.spec({ ...common, ...fields }), id, keeper: "c" };
}

describe("formerOperation()", () => {
  it("finds the last one of the same kind and nodes that was not done", () => {
    const all = [
      kept("old", {}),
      kept("new", { started: "2026-01-01T00:10:00Z", state: "lost" }),
      kept("others", { title: "a" }),
    ];
    assert.equal(formerOperation(all, wanted, clock)?.id, "new");
  });
  it("begins anew after one that was done, and after a deadline", () => {
    assert.equal(
      formerOperation([kept("a", {}), kept("b", { state: "done", started: "2026-01-01T00:05:00Z" })], wanted, clock),
      undefined,
    );
    assert.equal(formerOperation([kept("a", { deadline: "2026-01-01T00:20:00Z" })], wanted, clock), undefined);
  });
  it("refuses while a client does something else, but not because of a sequence of a machine", () => {
    const busy = [kept("a", { kind: "upgrade-k8s", state: "running" })];
    assert.throws(
      () => formerOperation(busy, wanted, clock),
      (err) => {
        assert.ok(isCode(err, "rolling/busy"));
        assert.match(err.next ?? "", /^talosctl --nodes c operations a --watch; if its client is gone, run this again/);
        return true;
      },
    );
    assert.equal(formerOperation([kept("a", { state: "running", deadline: "", title: "" })], wanted, clock), undefined);
  });
});
