import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createBackends } from "./backends.ts";

const options = { port: 50_000, material: () => ({ ca: [] }), idleMs: 800 };

describe("createBackends()", () => {
  it("shares one connection among the calls to a node", async () => {
    await using backends = createBackends(options);
    using first = backends.lease("10.5.0.2");
    using second = backends.lease("10.5.0.2");
    using other = backends.lease("node-3");
    assert.equal(first.channel, second.channel);
    assert.notEqual(first.channel, other.channel);
    assert.deepEqual([...first.channel.targets, ...other.channel.targets], ["10.5.0.2:50000", "node-3:50000"]);
  });

  it("connects anew when asked, and later calls share that connection", async () => {
    await using backends = createBackends(options);
    using old = backends.lease("a");
    using fresh = backends.lease("a", true);
    using next = backends.lease("a");
    assert.notEqual(fresh.channel, old.channel);
    assert.equal(next.channel, fresh.channel);
    assert.deepEqual([old.channel.state, backends.size], ["idle", 1]);
    old[Symbol.dispose]();
    assert.equal(old.channel.state, "closed");
  });

  it("closes what nobody used for long, never what is in use", async () => {
    const clock = createManualClock();
    await using backends = createBackends({ ...options, clock });
    const idle = backends.lease("a");
    using busy = backends.lease("b");
    idle[Symbol.dispose]();
    await clock.advance(700);
    backends.lease("a")[Symbol.dispose]();
    await clock.advance(700);
    assert.equal(idle.channel.state, "idle");
    await clock.advance(200);
    assert.deepEqual([idle.channel.state, busy.channel.state, backends.size], ["closed", "idle", 1]);
  });

  it("connects anew after a flush, while calls under way keep their connection", async () => {
    await using backends = createBackends(options);
    const old = backends.lease("a");
    backends.flush();
    using fresh = backends.lease("a");
    assert.notEqual(fresh.channel, old.channel);
    assert.equal(old.channel.state, "idle");
    old[Symbol.dispose]();
    old[Symbol.dispose]();
    assert.deepEqual([old.channel.state, fresh.channel.state], ["closed", "idle"]);
  });

  it("keeps a bounded number of unused connections, the latest used", async () => {
    await using backends = createBackends({ ...options, maxIdle: 2 });
    using busy = backends.lease("busy");
    const leases = ["a", "b", "c"].map((target) => backends.lease(target));
    for (const lease of leases) lease[Symbol.dispose]();
    assert.deepEqual(
      leases.map(({ channel }) => channel.state),
      ["closed", "idle", "idle"],
    );
    assert.equal(busy.channel.state, "idle");
  });

  it("closes everything when disposed, in use or not", async () => {
    const backends = createBackends(options);
    const lease = backends.lease("a");
    backends.flush();
    const other = backends.lease("a");
    await backends[Symbol.asyncDispose]();
    assert.deepEqual([lease.channel.state, other.channel.state], ["closed", "closed"]);
    lease[Symbol.dispose]();
  });
});
