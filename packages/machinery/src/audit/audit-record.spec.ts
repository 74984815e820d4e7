import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatAuditRecord, parseAuditRecord, type AuditRecord } from "./audit-record.ts";

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

describe("formatAuditRecord()", () => {
  it("puts the word audit before the JSON", () => {
    assert.equal(formatAuditRecord(call), `audit ${JSON.stringify(call)}`);
  });

  it("writes every member of each record, whatever the record before was", () => {
    const quoted = 'a "quoted" name';
    const changes: readonly Partial<AuditRecord>[] = [
      {},
      { caller: "other" },
      { roles: ["os:admin", quoted] },
      { from: quoted },
      { method: "/other" },
      { nodes: ["10.5.0.2", quoted] },
      { durationMs: 17, status: 0, error: quoted },
      { time: "2026-01-01T00:00:00.001Z" },
    ];
    for (const change of changes.flatMap((each) => [each, {}, each, each])) {
      const record = { ...call, ...change };
      assert.equal(formatAuditRecord(record), `audit ${JSON.stringify(record)}`);
    }
  });
});

describe("parseAuditRecord()", () => {
  it("reads lines about calls, and no others", () => {
    assert.deepEqual(parseAuditRecord(`2026-01-01T00:00:00.000Z audit ${JSON.stringify(call)}`), call);
    for (const other of ["2026-01-01 listening on :50000", "x audit {", 'x audit {"a":1}', "audit"]) {
      assert.equal(parseAuditRecord(other), undefined);
    }
  });
});
