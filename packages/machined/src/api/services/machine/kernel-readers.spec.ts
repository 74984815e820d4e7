import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { roles } from "@talos-ts/machinery/roles";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { createTestNode, type TestNode } from "../../testing.ts";
import { formatRecord } from "./dmesg.ts";
import { sumOf } from "../../support/sum-of.ts";

const reader = (node: TestNode) => node.client(MachineService, roles.reader);

describe("dmesg()", () => {
  const record = {
    severity: "warning",
    facility: 0,
    sequence: 1n,
    timestampMicroseconds: 1_250_000n,
    continuation: false,
    text: "hello",
    values: new Map(),
  } as const;
  it("T-66: writes facility, priority and time as clients expect", () => {
    assert.equal(formatRecord(record, 1_700_000_000_000_000n), "kern: warning: [2023-11-14T22:13:21.25Z]: hello");
    const later = { ...record, severity: "err", facility: 3, timestampMicroseconds: 0n } as const;
    assert.equal(formatRecord(later, 1_700_000_000_000_000n), "daemon:     err: [2023-11-14T22:13:20Z]: hello");
  });
  it("gives what is there and ends; with follow it goes on until the caller leaves", async () => {
    await using node = await createTestNode();
    await node.linux.kernelLog.write("first");
    const lines = await Array.fromAsync(reader(node).dmesg({}), ({ bytes }) => Buffer.from(bytes).toString());
    assert.match(lines.join(""), /^user: {4}info: \[.*Z\]: first\n$/);
    const leave = new AbortController();
    const followed: string[] = [];
    const follow = async (): Promise<void> => {
      for await (const { bytes } of reader(node).dmesg({ follow: true }, { signal: leave.signal })) {
        followed.push(Buffer.from(bytes).toString().trimEnd().slice(-6));
        if (followed.length === 1) await node.linux.kernelLog.write("second");
        else leave.abort();
      }
    };
    await assert.rejects(follow(), { kind: "cancelled" });
    assert.deepEqual(followed, [" first", "second"]);
  });
  it("T-39, T-66: has the machine's own messages, which stand in no kernel log of a container", async () => {
    await using node = await createTestNode();
    const { messages } = node.machine;
    messages.write("user: warning: [2001-01-01T00:00:00Z]: [talos] before\n");
    await node.linux.kernelLog.write("kernel");
    messages.write("user: warning: [2999-01-01T00:00:00Z]: [talos] after\n");
    const leave = new AbortController();
    const seen: string[] = [];
    const follow = async (): Promise<void> => {
      for await (const { bytes } of reader(node).dmesg({ follow: true }, { signal: leave.signal })) {
        const lines = Buffer.from(bytes).toString().trimEnd().split("\n");
        seen.push(...lines.map((line) => line.split(" ").at(-1) ?? ""));
        if (seen.length === 3) messages.write("user: warning: [2999-01-01T00:00:01Z]: [talos] later\n");
        if (seen.length === 4) leave.abort();
      }
    };
    await assert.rejects(follow(), { kind: "cancelled" });
    assert.deepEqual(seen, ["before", "kernel", "after", "later"]);
  });
});

describe("memory()", () => {
  it("has every value of the kernel under its field, in kibibytes", async () => {
    await using node = await createTestNode();
    const text = "MemTotal: 2048 kB\nActive(anon): 7 kB\nHugePages_Total: 3\nCommitted_AS: 9 kB\nUnknown: 1 kB\n";
    node.linux.textFiles.tree.set("/proc/meminfo", text);
    const info = (await reader(node).memory({})).messages[0]?.meminfo;
    assert.equal(info?.memtotal, 2048n);
    assert.equal(info.activeanon, 7n);
    assert.equal(info.hugepagestotal, 3n);
    assert.equal(info.committedas, 9n);
  });
});

describe("processes()", () => {
  it("joins the arguments of a process", async () => {
    await using node = await createTestNode();
    const pid = node.linux.processes.start({ executable: "/usr/bin/thing", arguments: ["-x", "1"] });
    const found = (await reader(node).processes({})).messages[0]?.processes.find((info) => info.pid === pid);
    assert.equal(found?.args, "/usr/bin/thing -x 1");
    assert.equal(found.command, "thing");
    assert.equal(found.residentMemory, 256n * 4096n);
  });
});

describe("mounts()", () => {
  it("tells the size of what is mounted", async () => {
    await using node = await createTestNode();
    node.linux.paths.add("/data");
    await node.linux.mounts.mount({ source: "tmpfs", target: "/data", type: "tmpfs", options: ["size=1m"] });
    const found = (await reader(node).mounts({})).messages[0]?.stats.find(({ mountedOn }) => mountedOn === "/data");
    assert.equal(found?.filesystem, "tmpfs");
    assert.ok(found.size >= found.available);
  });
});

describe("cpuFreqStats()", () => {
  it("has an empty entry for processors without a governor, and keeps the order of the numbers", async () => {
    await using node = await createTestNode();
    const put = (cpu: number, name: string, value: string) =>
      node.linux.textFiles.tree.set(`/sys/devices/system/cpu/cpu${cpu}/cpufreq/${name}`, `${value}\n`);
    for (const [cpu, governor] of [
      [10, "performance"],
      [2, "schedutil"],
    ] as const) {
      put(cpu, "scaling_governor", governor);
      put(cpu, "cpuinfo_max_freq", "3000000");
    }
    node.linux.textFiles.tree.set("/sys/devices/system/cpu/cpu0/online", "1\n");
    const found = (await reader(node).cPUFreqStats({})).messages[0]?.cpuFreqStats;
    assert.deepEqual(
      found?.map(({ governor, maximumFrequency }) => [governor, maximumFrequency]),
      [
        ["", 0n],
        ["schedutil", 3_000_000n],
        ["performance", 3_000_000n],
      ],
    );
  });
});

describe("the other readers", () => {
  it("answer with what the kernel says", async () => {
    await using node = await createTestNode();
    const client = reader(node);
    assert.equal((await client.loadAvg({})).messages[0]?.load5, 0.2);
    assert.equal((await client.systemStat({})).messages[0]?.contextSwitches, 500n);
    assert.equal((await client.cPUInfo({})).messages[0]?.cpuInfo[1]?.modelName, "Memory CPU");
    assert.equal((await client.diskStats({})).messages[0]?.total?.readSectors, 800n);
    assert.equal((await client.networkDeviceStats({})).messages[0]?.devices[0]?.name, "lo");
  });
});

describe("sumOf()", () => {
  it("adds up counters and leaves names alone", () => {
    assert.deepEqual(
      sumOf([
        { name: "a", x: 1n },
        { name: "b", x: 2n },
      ]),
      { x: 3n },
    );
  });
});
