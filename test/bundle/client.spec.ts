import assert from "node:assert/strict";
import { cp, glob, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { createResource } from "@talos-ts/cosi";
import { readBuildInfo } from "@talos-ts/imager";
import { MachineConfig, MachineConfigHistory } from "@talos-ts/machinery/resources/config";
import { Operation } from "@talos-ts/machinery/resources/runtime";
import { ServiceStateEventSchema } from "@talos-ts/proto/machine/event";
import { commandEntries, type CommandEntry } from "@talos-ts/talosctl";
import { runCommand, startFakeNode, tarGz, type FakeNode, type Result } from "@talos-ts/talosctl/testing";
import { root } from "../../scripts/lib/step.ts";

/** The client as it ships; `npm run bundle` makes it. */
const program = join(root, "packages/talosctl/bin/talosctl.mjs");

const bundle = (argv: readonly string[], env = {}): Promise<Result> => runCommand(argv, { program, env });
const sources = (argv: readonly string[], env = {}): Promise<Result> => runCommand(argv, { program: "", env });

interface Listed {
  readonly path: readonly string[];
  readonly entry: CommandEntry;
}

function* everyCommand(entries: readonly CommandEntry[], above: readonly string[] = []): Generator<Listed> {
  for (const entry of entries) {
    const path = [...above, entry.name];
    yield { path, entry };
    yield* everyCommand(entry.subcommands ?? [], path);
  }
}

const commands = [...everyCommand(commandEntries)];

describe("the bundled client", () => {
  it("shows the help of every command, as the sources do", async () => {
    for (const { path } of commands) {
      const shown = await bundle([...path, "--help"]);
      assert.equal(shown.code, 0, `${path.join(" ")}: ${shown.err}`);
      assert.match(shown.out, new RegExp(`^Usage: talosctl ${path.join(" ")}`, "m"));
      assert.deepEqual(shown, await sources([...path, "--help"]), path.join(" "));
    }
  });

  it("offers completion for every shell, and candidates, as the sources do", async () => {
    for (const argv of [
      ["completion", "bash"],
      ["completion", "zsh"],
      ["completion", "fish"],
      ["completion", "powershell", "--no-descriptions"],
    ]) {
      const shown = await bundle(argv);
      assert.equal(shown.code, 0, shown.err);
      assert.deepEqual(shown, await sources(argv));
    }
  });

  it("tells the commit it was made from, and when that was; the sources do not know", async () => {
    const { sha, built } = await readBuildInfo(root);
    const { out } = await bundle(["version", "--client"]);
    assert.match(out, new RegExp(`^\\tSHA: +${sha.replace(/-dirty$/, "") || "unknown"}`, "m"));
    assert.match(out, new RegExp(`^\\tBuilt: +${built || "unknown"}$`, "m"));
    assert.match(out, /^\tRuntime: +node v\d+\./m);
    assert.match((await sources(["version", "--client"])).out, /^\tSHA: +unknown\n\tBuilt: +unknown$/m);
  });

  it("fails as the sources do", async () => {
    for (const argv of [["nosuch"], ["get"], ["version", "--nosuch"], ["gen", "config"]])
      assert.deepEqual(await bundle(argv, { HOME: "/nonexistent" }), await sources(argv, { HOME: "/nonexistent" }));
  });
});

describe("the bundled client without one of its files", () => {
  it("ends with the error, also when it is connected", { timeout: 60_000 }, async () => {
    await using node = await startFakeNode({ machine: { version: async () => ({ messages: [{}] }) } });
    const folder = await mkdtemp(join(tmpdir(), "client-"));
    try {
      await cp(join(root, "packages/talosctl/dist"), join(folder, "dist"), { recursive: true });
      for await (const file of glob("renew-certificate-*.mjs", { cwd: join(folder, "dist") }))
        await rm(join(folder, "dist", file));
      const env = { HOME: node.folder, TALOSCONFIG: join(node.folder, "talosconfig") };
      const { code, err } = await runCommand(["version", "--nodes", "10.5.0.2"], {
        program: join(folder, "dist/main.mjs"),
        env,
      });
      assert.equal(code, 1);
      assert.match(err, /Cannot find module .*renew-certificate/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("the bundled client with -o", () => {
  let node: FakeNode;
  before(async () => {
    const alarms = { messages: [{ memberAlarms: [{ memberId: 1n, alarm: 1 }] }] };
    const audited = {
      time: "2026-01-01T00:00:00.000Z",
      caller: "abcdef0123456789",
      roles: ["os:reader"],
      from: "10.5.0.1:4000",
      method: "/machine.MachineService/Version",
      nodes: [],
      durationMs: 3,
      status: 0,
      error: "",
    };
    const downgrade = { messages: [{ clusterDowngrade: { clusterVersion: "3.6.0" } }] };
    node = await startFakeNode({
      types: [MachineConfig, MachineConfigHistory, Operation],
      time: { time: async () => ({ messages: [{ server: "pool.ntp.org" }] }) },
      machine: {
        etcdMemberList: async () => ({ messages: [{ members: [{ id: 1n, hostname: "cp-1" }] }] }),
        etcdStatus: async () => ({ messages: [{ memberStatus: { memberId: 1n, dbSize: 20_480n } }] }),
        etcdAlarmList: async () => alarms,
        etcdAlarmDisarm: async () => alarms,
        etcdDowngradeValidate: async () => downgrade,
        etcdDowngradeEnable: async () => downgrade,
        etcdDowngradeCancel: async () => downgrade,
        memory: async () => ({ messages: [{ meminfo: { memtotal: 4096n } }] }),
        stats: async () => ({
          messages: [{ stats: [{ namespace: "system", id: "apid", memoryUsage: 1n, cpuUsage: 2n }] }],
        }),
        processes: async () => ({ messages: [{ processes: [{ pid: 1, command: "init" }] }] }),
        containers: async () => ({ messages: [{ containers: [{ namespace: "system", id: "apid", podId: "apid" }] }] }),
        mounts: async () => ({ messages: [{ stats: [{ filesystem: "tmpfs", size: 2n, available: 1n }] }] }),
        netstat: async () => ({
          messages: [{ connectrecord: [{ l4proto: "tcp", localip: "::", localport: 50_000 }] }],
        }),
        serviceList: async () => ({ messages: [{ services: [{ id: "apid", state: "Running" }] }] }),
        async *diskUsage() {
          yield { relativeName: "var", size: 4096n };
        },
        async *list() {
          yield { relativeName: "8:0", link: "../sda" };
        },
        async *copy() {
          yield {
            bytes: tarGz([{ name: "cgroup.controllers" }, { name: "system/memory.current", content: "4096\n" }]),
          };
        },
        async *events() {
          const told = create(ServiceStateEventSchema, { service: "etcd", message: "started" });
          const { typeUrl, value } = anyPack(ServiceStateEventSchema, told);
          yield { id: "0123", data: { typeUrl, value } };
        },
        async *logs() {
          yield { bytes: Buffer.from(`${audited.time} audit ${JSON.stringify(audited)}\n`) };
        },
      },
    });
    const config = "version: v1alpha1\nmachine:\n  type: worker\ncluster: {}\n";
    const annotations = { "talos.dev/yaml-spec": "1" };
    await node.state.create(createResource(MachineConfig, MachineConfig.ids.active, config, { annotations }));
    const entry = { readySince: audited.time, digest: "0123", config };
    await node.state.create(createResource(MachineConfigHistory, "1", entry));
    const operation = Operation.spec({ kind: "rotate-ca", state: "done", started: audited.time });
    await node.state.create(createResource(Operation, "0123", operation));
  });
  after(() => node[Symbol.asyncDispose]());

  const etcd = ["--nodes", "10.5.0.2"];
  /** Arguments for every command that has output formats, and the format of those that take more than a choice. */
  const calls: Readonly<Record<string, readonly string[]>> = {
    audit: ["--nodes", "10.5.0.2"],
    cgroups: ["--preset", "memory", "--nodes", "10.5.0.2"],
    "cluster list": ["--state", "/nonexistent"],
    "config contexts": [],
    "config info": [],
    "config-history": ["list", "--nodes", "127.0.0.1"],
    containers: etcd,
    "etcd alarm disarm": etcd,
    "etcd alarm list": etcd,
    "etcd downgrade cancel": etcd,
    "etcd downgrade enable": ["3.5", ...etcd],
    "etcd downgrade validate": ["3.5", ...etcd],
    "etcd members": etcd,
    "etcd status": etcd,
    events: etcd,
    get: ["rd", "--nodes", "10.5.0.2"],
    list: ["/", "--nodes", "10.5.0.2"],
    memory: ["--nodes", "10.5.0.2"],
    mounts: etcd,
    netstat: etcd,
    operations: ["--nodes", "127.0.0.1"],
    processes: etcd,
    service: etcd,
    stats: ["--nodes", "10.5.0.2"],
    time: etcd,
    usage: ["/", "--nodes", "10.5.0.2"],
  };

  /** Commands whose output formats need a cluster or another service; their own suites call them, with the bundle too. */
  const elsewhere = new Set(["cluster show", "etcd recover", "image list"]);

  it("writes every format that a command offers", async () => {
    const env = { HOME: node.folder, TALOSCONFIG: join(node.folder, "talosconfig") };
    for (const { path, entry } of commands) {
      const name = path.join(" ");
      const definition = (await entry.load?.())?.command;
      const option = definition?.options?.find(({ flags }) => /^(-o, )?--output <format>/.test(flags));
      if (option === undefined || elsewhere.has(name)) continue;
      const args = calls[name];
      assert.ok(args !== undefined, `${name} has output formats: say in this file how to call it`);
      const formats = option.choices ?? ["table", "yaml", "json", "jsonpath={.metadata.id}"];
      for (const format of formats) {
        const shown = await bundle([...path, ...args, "--output", format], env);
        assert.equal(shown.code, 0, `${name} -o ${format}: ${shown.err}`);
        assert.notEqual(shown.out, "", `${name} -o ${format}`);
        assert.deepEqual(shown, await sources([...path, ...args, "--output", format], env), `${name} -o ${format}`);
      }
    }
  });
});
