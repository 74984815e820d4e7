import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import type { ServiceImpl } from "@talos-ts/grpc";
import type { MachineService } from "@talos-ts/proto/machine/machine";
import { startFakeNode } from "../testing/fake-node.ts";
import { tarGz } from "../testing/tar.ts";

const unified: Readonly<Record<string, string>> = {
  "cgroup.controllers": "cpu io memory pids\n",
  "memory.current": "209715200\n",
  "cpu.stat": "usage_usec 4000000\nuser_usec 2000000\nsystem_usec 1000000\n",
  "kubepods/memory.current": "104857600\n",
  "kubepods/podab12/memory.current": "1048576\n",
  "kubepods/podab12/memory.max": "max\n",
  "kubepods/podab12/cpu.stat": "user_usec 1500000\nsystem_usec 0\nthrottled_usec 7\n",
  "kubepods/podab12/cpu.max": "20000 100000\n",
  "kubepods/podab12/cpu.weight": "79\n",
  "kubepods/podab12/io.stat": "8:0 rbytes=2048 wbytes=0 rios=3 wios=0\n7:1\n",
  "kubepods/podab12/io.pressure": "some avg10=1.50 avg60=0.00 avg300=0.00 total=1500\nfull avg10=0.00\n",
  "kubepods/podab12/cgroup.procs": "7\n8\n",
  "system/memory.current": "4096\n",
};

const legacy: Readonly<Record<string, string>> = {
  "memory/memory.usage_in_bytes": "209715200\n",
  "memory/system/memory.usage_in_bytes": "1048576\n",
  "memory/system/memory.limit_in_bytes": "9223372036854771712\n",
  "memory/system/memory.max_usage_in_bytes": "2097152\n",
  "cpuacct/cpuacct.usage_user": "4000000000\n",
  "cpuacct/system/cpuacct.usage_user": "1000000000\n",
  "cpu/system/cpu.shares": "1024\n",
  "cpu/system/cpu.cfs_quota_us": "-1\n",
  "cpu/system/cpu.cfs_period_us": "100000\n",
  "cpu/system/cpu.stat": "nr_periods 0\nthrottled_time 7000\n",
  "blkio/system/blkio.throttle.io_service_bytes_recursive": "8:0 Read 2048\n8:0 Write 0\nTotal 2048\n",
  "blkio/system/blkio.throttle.io_serviced_recursive": "8:0 Read 3\n8:0 Write 0\n",
  "pids/system/tasks": "7\n9\n",
  "systemd/user/cgroup.procs": "1\n",
};

function machine(files: Readonly<Record<string, string>>, skipped = false): ServiceImpl<typeof MachineService> {
  return {
    processes: () => ({ messages: [{ processes: [{ pid: 7, command: "etcd" }] }] }),
    async *list() {
      yield { relativeName: "8:0", link: "../../devices/virtual/block/sda" };
    },
    containers: () => ({
      messages: [{ containers: [{ uid: "ab12", podId: "kube-system/etcd", id: "kube-system/etcd" }] }],
    }),
    async *copy() {
      yield { bytes: tarGz(Object.entries(files).map(([name, content]) => ({ name, content }))) };
      if (skipped)
        throw new OsError({ kind: "unknown", message: '1 error occurred:\n\t* skipping "/sys/x": EINVAL\n' });
    },
  };
}

interface Shown {
  readonly name: string;
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
}

async function shown(
  files: Readonly<Record<string, string>>,
  preset: string,
  path: string,
): Promise<Shown | undefined> {
  await using node = await startFakeNode({ machine: machine(files, true) });
  const { out, err, code } = await node.run("--nodes", "10.5.0.2", "cgroups", "--preset", preset, "-o", "json");
  assert.equal(code, 0, err);
  return (JSON.parse(out) as Shown[]).find((record) => record.path === path);
}

describe("cgroups", () => {
  it("draws the tree, with the names that CRI knows", async () => {
    await using node = await startFakeNode({ machine: machine(unified) });
    const { out } = await node.run("--nodes", "10.5.0.2", "cgroups", "--preset", "memory");
    const [head = "", ...rows] = out.trimEnd().split("\n");
    assert.match(head, /^NAME +MemCurrent +MemPeak +MemLow +Peak\/Low +MemHigh +MemMin +Current\/Min +MemMax$/);
    assert.deepEqual(
      rows.map((row) => row.slice(0, head.indexOf("MemCurrent")).trimEnd()),
      [".", "├──kubepods", "│   └──kube-system/etcd", "└──system"],
    );
    assert.match(rows[2] ?? "", /1\.0 MiB .* max$/);
    const raw = await node.run("--nodes", "10.5.0.2", "cgroups", "--preset", "cpu", "--skip-cri-resolve");
    assert.match(raw.out, /podab12 +79 +unset +\[ 20000 100000\] +1\.5s +unset% +0s +unset% +7µs/);
  });

  it("shows devices, pressure and processes by name", async () => {
    assert.deepEqual((await shown(unified, "io", "/kubepods/podab12"))?.values, {
      "Bytes Read/Written": "sda: 2.0 KiB/0 B",
      "ios Read/Write": "sda: 3/0",
      PressAvg10: "1.50",
      PressAvg60: "0.00",
      PressTotal: "1.5ms",
    });
    assert.equal((await shown(unified, "process", "/kubepods/podab12"))?.values["Processes"], "[etcd 8]");
  });

  it("joins the trees of version 1 and shows the same facts", async () => {
    const memory = await shown(legacy, "memory", "/system");
    assert.deepEqual(
      [memory?.values["MemCurrent"], memory?.values["MemPeak"], memory?.values["MemMax"]],
      ["1.0 MiB", "2.0 MiB", "max"],
    );
    const cpu = await shown(legacy, "cpu", "/system");
    assert.deepEqual(
      ["CpuWeight", "CpuMax", "CpuUser", "User/%", "Throttled"].map((heading) => cpu?.values[heading]),
      ["39", "[   max 100000]", "1s", "25.00%", "7µs"],
    );
    assert.equal((await shown(legacy, "io", "/system"))?.values["ios Read/Write"], "sda: 3/0");
    assert.equal((await shown(legacy, "process", "/system"))?.values["Threads"], "2");
    assert.equal(await shown(legacy, "memory", "/user"), undefined, "a tree without a controller is left out");
  });

  it("shows columns of a schema file as the presets that say the same, and explains one that is wrong", async () => {
    await using node = await startFakeNode({ machine: machine(unified) });
    const columns = {
      MemCurrent: '{{ .MemoryCurrent.HumanizeIBytes | printf "%8s" }}',
      CpuMax: '{{ .CPUMax | printf "%6s" }}',
      CpuUser: '{{ .CPUStat.user_usec.UsecToDuration | printf "%12s" }}',
      "User/%":
        '{{ if .Parent }}{{ .CPUStat.user_usec.DivideBy .Parent.CPUStat.user_usec | printf "%6s" }}%{{ else }}-{{ end }}',
      PressAvg10: '{{ .IOPressure.some.avg10 | printf "%6s" }}',
      "ios Read/Write":
        "{{ range $disk, $v := .IOStat }}{{ if $v }}{{ $disk }}: {{ $v.rios }}/{{ $v.wios }}{{ end }}{{ end }}",
      Procs: '{{ .CgroupProcs | len | printf "%7d" }}',
      Processes: '{{ if .Parent }}{{ .CgroupProcsResolved | printf "%s" | printf "%.50s" }}{{ end }}',
    };
    const file = join(node.folder, "schema.yaml");
    const schema = (all: object): string =>
      JSON.stringify({
        columns: Object.entries(all).map(([name, template]: [string, unknown]) => ({ name, template })),
      });
    await writeFile(file, schema(columns));
    const { out, err } = await node.run("-n", "10.5.0.2", "cgroups", "--schema-file", file, "-o", "json");
    const records = JSON.parse(out) as Shown[];
    assert.equal(records.length, 4, err);
    for (const [preset, ...headings] of [
      ["memory", "MemCurrent"],
      ["cpu", "CpuMax", "CpuUser", "User/%"],
      ["io", "PressAvg10", "ios Read/Write"],
      ["process", "Procs", "Processes"],
    ] as const) {
      for (const record of records) {
        const expected = await shown(unified, preset, record.path);
        for (const heading of headings)
          assert.equal(record.values[heading], expected?.values[heading], `${record.path} ${heading}`);
      }
    }
    for (const [template, message] of [
      ["{{ .Nothing }}", /column X: can't evaluate field Nothing, expected one of /],
      ["{{ if .Parent }}", /column X: \{\{if\}\} has no \{\{end\}\}/],
      ["{{ shell .Parent }}", /column X: function shell is not defined/],
    ] as const) {
      await writeFile(file, schema({ X: template }));
      const refused = await node.run("-n", "10.5.0.2", "cgroups", "--schema-file", file);
      assert.equal(refused.code, 1);
      assert.match(refused.err, message);
    }
  });

  it("asks for a preset or a schema file", async () => {
    await using node = await startFakeNode({ machine: machine(unified) });
    const { code, err } = await node.run("--nodes", "10.5.0.2", "cgroups");
    assert.notEqual(code, 0);
    assert.match(err, /--preset/);
  });
});
