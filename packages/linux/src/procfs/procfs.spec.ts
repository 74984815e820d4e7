import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseCpuInfo } from "./cpuinfo.ts";
import { parseDiskStats } from "./diskstats.ts";
import { parseNetDev } from "./net-dev.ts";
import { parseArguments, parseProcessStat } from "./process-info.ts";
import { parseLoadAverage, parseMemInfo, parseUptime } from "./small-files.ts";
import { parseSystemStat } from "./stat.ts";

describe("parseProcessStat()", () => {
  const rest = "S 1 7 7 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 11 0 4321 1048576 256 18446744073709551615 1 1";
  it("survives a name with spaces and parentheses", () => {
    const stat = parseProcessStat(`42 (a) b (c)) ${rest}`);
    assert.equal(stat.pid, 42);
    assert.equal(stat.command, "a) b (c)");
    assert.equal(stat.cpuSeconds, 3);
    assert.equal(stat.threads, 11);
    assert.equal(stat.virtualBytes, 1048576n);
    assert.equal(stat.residentPages, 256n);
  });
  it("refuses a cut line", () => assert.throws(() => parseProcessStat("42 (a) S 1"), { code: "procfs/malformed" }));
});

describe("parseArguments()", () => {
  it("keeps empty arguments", () => assert.deepEqual(parseArguments("a\0\0b\0"), ["a", "", "b"]));
  it("leaves out what a process that renamed itself left behind", () =>
    assert.deepEqual(parseArguments("apid\0\0\0\0"), ["apid"]));
});

describe("parseSystemStat()", () => {
  it("reads processors, interrupts and soft interrupts", () => {
    const stat = parseSystemStat(
      "cpu  100 0 200 300 4 5 6 7 8 9\ncpu0 100 0 200 300 4 5 6 7 8 9\nintr 30 10 20\nctxt 5\nbtime 1700000000\n" +
        "processes 9\nprocs_running 2\nprocs_blocked 1\nsoftirq 55 1 2 3 4 5 6 7 8 9 10\n",
    );
    assert.equal(stat.cpuTotal.user, 1);
    assert.equal(stat.cpus.length, 1);
    assert.deepEqual(stat.irqs, [10n, 20n]);
    assert.equal(stat.bootTime, 1700000000n);
    assert.equal(stat.softIrq.rcu, 10n);
  });
});

describe("parseCpuInfo()", () => {
  it("separates processors and drops the machine's block", () => {
    const cpus = parseCpuInfo("processor\t: 0\nmodel name\t: X: Y\n\nprocessor\t: 1\n\nHardware\t: board\n");
    assert.deepEqual(
      cpus.map((cpu) => cpu.processor),
      [0, 1],
    );
    assert.equal(cpus[0]?.fields.get("model name"), "X: Y");
  });
});

describe("parseDiskStats()", () => {
  it("fills counters an old kernel lacks with zero", () => {
    const [disk] = parseDiskStats(" 254 0 vda 1 2 3 4 5 6 7 8 9 10 11\n");
    assert.equal(disk?.name, "vda");
    assert.equal(disk?.ioTimeWeightedMs, 11n);
    assert.equal(disk?.discardCompleted, 0n);
  });
});

describe("parseNetDev()", () => {
  it("skips the heading", () => {
    const [device, ...others] = parseNetDev(
      "Inter-|   Receive\n face |bytes\n  eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n",
    );
    assert.equal(device?.name, "eth0");
    assert.equal(device?.sentBytes, 9n);
    assert.equal(others.length, 0);
  });
});

describe("small files", () => {
  it("parseMemInfo() reads values", () => assert.equal(parseMemInfo("MemTotal:  12 kB\n").get("MemTotal"), 12));
  it("parseLoadAverage() reads three numbers", () => {
    assert.deepEqual(parseLoadAverage("0.1 0.2 0.3 1/2 3\n"), { load1: 0.1, load5: 0.2, load15: 0.3 });
  });
  it("parseUptime() refuses rubbish", () => assert.throws(() => parseUptime("x"), { code: "procfs/malformed" }));
});
