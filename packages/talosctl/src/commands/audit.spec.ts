import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { OsError } from "@talos-ts/base";
import { formatAuditRecord, type AuditRecord } from "@talos-ts/machinery/audit";
import { startFakeNode } from "../testing/fake-node.ts";

function line(time: string, more: Partial<AuditRecord>): string {
  const record: AuditRecord = {
    time,
    caller: "",
    roles: [],
    from: "10.5.0.9:1",
    method: "/machine.MachineService/Version",
    nodes: [],
    durationMs: 1,
    status: 0,
    error: "",
    ...more,
  };
  return `${time} ${formatAuditRecord(record)}\n`;
}

const logs: Readonly<Record<string, string>> = {
  apid: `${line("2026-01-01T00:00:01Z", {})}2026-01-01T00:00:02Z listening\n${line("2026-01-01T00:00:03Z", { status: 7, error: "roles/not-authorized" })}`,
  trustd: line("2026-01-01T00:00:02Z", { method: "/securityapi.SecurityService/Certificate" }),
};

describe("talosctl audit", () => {
  it("shows the calls of apid and trustd in the order of their times", async () => {
    await using node = await startFakeNode({
      machine: {
        async *logs({ id }) {
          yield { bytes: Buffer.from(logs[id] ?? "") };
        },
      },
    });
    const { out, code } = await node.run("audit", "-n", "127.0.0.1", "-o", "json");
    const methods = out
      .trimEnd()
      .split("\n")
      .map((text) => (JSON.parse(text) as AuditRecord).method.split("/").at(-1));
    assert.deepEqual(methods, ["Version", "Certificate", "Version"]);
    assert.equal(code, 0);
    const failed = await node.run("audit", "-n", "127.0.0.1", "--failed", "-o", "json");
    assert.equal(failed.out.trimEnd().split("\n").length, 1);
  });

  it("does without trustd on a worker, but not without apid", async () => {
    const missing = (id: string): OsError =>
      new OsError({ kind: "not-found", code: "logs/not-found", message: `log "${id}" was not registered` });
    for (const [absent, expected] of [
      ["trustd", 0],
      ["apid", 1],
    ] as const) {
      const refused = Promise.withResolvers<void>();
      await using node = await startFakeNode({
        machine: {
          async *logs({ id }) {
            if (id === absent) {
              refused.resolve();
              throw missing(id);
            }
            await refused.promise;
            // The refusal is on its way before the other log.
            for (let turn = 0; turn < 50; turn += 1) await setImmediate();
            yield { bytes: Buffer.from(logs[id] ?? "") };
          },
        },
      });
      const { code, out } = await node.run("audit", "-n", "127.0.0.1", "-o", "json");
      assert.equal(code, expected, absent);
      assert.match(out, absent === "trustd" ? /Version/ : /Certificate/);
    }
  });
});
