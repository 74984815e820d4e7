import { OsError } from "@talos-ts/base";
import assert from "node:assert/strict";
import type { ConformanceSuites } from "./subject.ts";

export const systemSuites: ConformanceSuites = {
  System: {
    "setHostname() changes what hostname() and the kernel say": async (subject) => {
      const { system, sysctl, namespaces } = subject.linux;
      const before = system.hostname();
      system.setHostname("node-7");
      assert.equal(system.hostname(), "node-7");
      assert.equal(await sysctl.read("kernel.hostname"), "node-7");
      const printed = await namespaces.run(subject.printHostname);
      assert.deepEqual(printed, { exitCode: 0, signal: undefined, stdout: "node-7\n", stderr: "" });
      system.setHostname(before);
    },
    "setHostname() refuses a name that is too long": async (subject) => {
      assert.throws(() => subject.linux.system.setHostname("x".repeat(65)), { code: "system/einval" });
    },
    "sync() comes back": async (subject) => {
      await subject.linux.system.sync();
    },
  },

  Watchdogs: {
    "open() of a device that is not there is not-found": async (subject) => {
      const missing = { kind: "not-found", code: "watchdog/enoent" };
      assert.throws(() => subject.linux.watchdogs.open("/dev/no-such-watchdog"), missing);
    },
  },

  Consoles: {
    "activate() of a terminal that no kernel has is not-found": async (subject) => {
      await assert.rejects(subject.linux.consoles.activate(64), { kind: "not-found" });
    },
  },

  Sysctl: {
    "write() is what read() gives": async (subject) => {
      const { sysctl } = subject.linux;
      const before = await sysctl.read("net.ipv4.ip_forward");
      const wanted = before === "1" ? "0" : "1";
      await sysctl.write("net.ipv4.ip_forward", wanted);
      assert.equal(await sysctl.read("net/ipv4/ip_forward"), wanted);
      await sysctl.write("net.ipv4.ip_forward", before);
    },
    "read() and write() of an unknown parameter are not-found": async (subject) => {
      await assert.rejects(subject.linux.sysctl.read("kernel.no_such"), { kind: "not-found", code: "file/enoent" });
      await assert.rejects(subject.linux.sysctl.write("no.such", "1"), (err: unknown) => err instanceof OsError);
    },
    "read() refuses a name that leaves the tree": async (subject) => {
      await assert.rejects(subject.linux.sysctl.read("../self/mem"), { code: "sysctl/bad-name" });
    },
  },

  KernelClock: {
    "state() is plausible": async (subject) => {
      const state = subject.linux.clock.state();
      assert.ok(state.tickMicroseconds >= 9_000n && state.tickMicroseconds <= 11_000n, String(state.tickMicroseconds));
      assert.equal(state.synchronized, (state.status & 0x40) === 0);
    },
    "now() moves on": async (subject) => {
      const first = subject.linux.clock.now();
      assert.ok(first > 1_500_000_000_000_000_000n, "after 2017");
      assert.ok(subject.linux.clock.now() >= first);
    },
    "deviceTime() names a clock device that is absent": async (subject) => {
      assert.throws(() => subject.linux.clock.deviceTime("/dev/ptp99"), { code: "clock/enoent" });
    },
    "set() refuses a time before the epoch": async (subject) => {
      assert.throws(() => subject.linux.clock.set(-1n), { code: "clock/einval" });
    },
  },

  Procfs: {
    "tells about the machine": async (subject) => {
      const { procfs } = subject.linux;
      assert.ok(((await procfs.memory()).get("MemTotal") ?? 0) > 0);
      assert.ok((await procfs.stat()).bootTime > 0n);
      assert.ok((await procfs.cpus()).length > 0);
      assert.ok((await procfs.uptime()).uptimeSeconds > 0);
      assert.ok((await procfs.loadAverage()).load1 >= 0);
      assert.ok((await procfs.netDevices()).some((device) => device.name === "lo"));
      assert.ok(Array.isArray(await procfs.disks()));
      assert.equal((await procfs.commandLine()).includes("\n"), false);
      assert.deepEqual(
        (await procfs.mounts()).map((mount) => mount.target),
        (await subject.linux.mounts.list()).map((mount) => mount.target),
      );
    },
    "process() tells about a process, and undefined once it is gone": async (subject) => {
      const { procfs } = subject.linux;
      let pid: number;
      {
        await using running = await subject.makeProcess();
        ({ pid } = running);
        const info = await procfs.process(pid);
        assert.equal(info?.pid, pid);
        assert.ok(info.arguments.length > 0);
        assert.ok(info.executable.startsWith("/"));
        assert.ok((await procfs.processes()).some((each) => each.pid === pid));
      }
      assert.equal(await procfs.process(pid), undefined);
    },
  },
};
