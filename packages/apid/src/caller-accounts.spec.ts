import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { requestBounds } from "@talos-ts/machinery/constants";
import { createCallerAccounts } from "./caller-accounts.ts";

const version = requestBounds("/machine.MachineService/Version");
const upload = requestBounds("/machine.MachineService/EtcdRecover");
const reader = { key: "reader", forwarder: false };
const ignore = (): void => undefined;

describe("createCallerAccounts()", () => {
  it("refuses a caller's call beyond its quota, and nobody else's", () => {
    using accounts = createCallerAccounts({ maxCalls: 2 });
    const [first] = [accounts.open(reader, version, ignore), accounts.open(reader, version, ignore)];
    assert.throws(() => accounts.open(reader, version, ignore), { code: "apid/too-many-calls" });
    using _other = accounts.open({ key: "other", forwarder: false }, version, ignore);
    first[Symbol.dispose]();
    using _again = accounts.open(reader, version, ignore);
    assert.equal(accounts.size, 2);
  });

  it("gives another node room for the callers behind it", () => {
    using accounts = createCallerAccounts({ maxCalls: 1 });
    for (let open = 0; open < 8; open += 1) accounts.open({ key: "node", forwarder: true }, version, ignore);
    assert.throws(() => accounts.open({ key: "node", forwarder: true }, version, ignore));
  });

  it("charges all messages of a request, but only the largest of an upload", () => {
    using accounts = createCallerAccounts({ maxBytes: 100 });
    const one = accounts.open(reader, version, ignore);
    one.observer.message(60);
    assert.throws(() => one.observer.message(60), { code: "apid/too-many-bytes" });
    one[Symbol.dispose]();
    using many = accounts.open(reader, upload, ignore);
    for (let sent = 0; sent < 10; sent += 1) many.observer.message(60);
  });

  it("tells a request that is not complete in time, and none that is", async () => {
    const clock = createManualClock();
    using accounts = createCallerAccounts({ clock });
    const late: string[] = [];
    using slow = accounts.open(reader, version, ({ code }) => late.push(`slow ${code}`));
    slow.observer.message(5);
    using quick = accounts.open(reader, version, () => late.push("quick"));
    quick.observer.end();
    using streaming = accounts.open(reader, upload, () => late.push("upload"));
    streaming.observer.message(5);
    await clock.advance(10_000);
    assert.deepEqual(late, ["slow apid/request-timeout"]);
  });
});
