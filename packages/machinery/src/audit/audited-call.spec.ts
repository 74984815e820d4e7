import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import type { Peer } from "@talos-ts/grpc";
import { auditCalls, AuditedCall } from "./audited-call.ts";
import { parseAuditRecord } from "./audit-record.ts";

const peer = { address: "10.5.0.9:4000", ip: "10.5.0.9", tls: undefined } as unknown as Peer;

function records(lines: readonly string[]) {
  return lines.map((line) => parseAuditRecord(`2026-01-01T00:00:00.000Z ${line}`));
}

describe("AuditedCall", () => {
  it("writes one record, of the first end", () => {
    const lines: string[] = [];
    const call = new AuditedCall(peer, "/a.B/C", (line) => void lines.push(line));
    call.roles = ["os:reader"];
    call.ended(new OsError({ kind: "permission-denied", code: "roles/not-authorized", message: "secret text" }));
    call.ended(undefined);
    const [record, ...others] = records(lines);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [record?.method, record?.roles, record?.status, record?.error, record?.from, record?.caller],
      ["/a.B/C", ["os:reader"], 7, "roles/not-authorized", "10.5.0.9:4000", ""],
    );
    assert.ok(!lines.join("").includes("secret"));
  });
});

describe("auditCalls()", () => {
  it("writes a record of calls that succeed and that fail, and passes the failure on", async () => {
    const lines: string[] = [];
    const intercept = auditCalls((line) => void lines.push(line));
    const context = { peer, method: { path: "/a.B/C" } } as Parameters<typeof intercept>[0];
    await intercept(context, async () => undefined);
    const failure = new OsError({ kind: "unauthenticated", message: "no" });
    await assert.rejects(
      intercept(context, async () => {
        throw failure;
      }),
      failure,
    );
    assert.deepEqual(
      records(lines).map((record) => record?.status),
      [0, 16],
    );
  });
});
