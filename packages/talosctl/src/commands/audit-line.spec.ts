import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { auditFilter, parseAuditLine, type AuditLine } from "./audit-line.ts";

const call: AuditLine = {
  time: "2026-01-01T00:00:00.000Z",
  caller: "abcdef0123456789",
  roles: ["os:reader"],
  from: "10.5.0.1:4000",
  method: "/machine.MachineService/Reboot",
  nodes: [],
  durationMs: 3,
  status: 7,
  error: "roles/not-authorized",
};
const nothing = { method: undefined, caller: undefined, role: undefined, failed: false };

describe("parseAuditLine()", () => {
  it("reads lines about calls, and no others", () => {
    assert.deepEqual(parseAuditLine(`2026-01-01T00:00:00.000Z audit ${JSON.stringify(call)}`), call);
    for (const other of ["2026-01-01 listening on :50000", "x audit {", 'x audit {"a":1}', "audit"]) {
      assert.equal(parseAuditLine(other), undefined);
    }
  });
});

describe("auditFilter()", () => {
  it("keeps what all wishes hold for", () => {
    assert.ok(auditFilter(nothing)(call));
    assert.ok(auditFilter({ method: "reboot", caller: "ABCD", role: "os:reader", failed: true })(call));
    assert.ok(!auditFilter({ ...nothing, method: "Version" })(call));
    assert.ok(!auditFilter({ ...nothing, caller: "0" })(call));
    assert.ok(!auditFilter({ ...nothing, role: "os:admin" })(call));
    assert.ok(!auditFilter({ ...nothing, failed: true })({ ...call, status: 0 }));
  });
});
