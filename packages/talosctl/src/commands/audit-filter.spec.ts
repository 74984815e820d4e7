import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AuditRecord } from "@talos-ts/machinery/audit";
import { auditFilter } from "./audit-filter.ts";

const call: AuditRecord = {
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
