import assert from "node:assert/strict";
import { mkdtemp, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { anyPack, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { OsError } from "@talos-ts/base";
import { create } from "@bufbuild/protobuf";
import { createResource } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import { Service as service } from "@talos-ts/machinery/resources";
import { MachineStatusEventSchema, ServiceStateEventSchema } from "@talos-ts/proto/machine/event";
import type { MachineService } from "@talos-ts/proto/machine/machine";
import { answersOf, deadNode, startFakeNode, type FakeNode } from "../testing/fake-node.ts";
import { tarGz } from "../testing/tar.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const machine: ServiceImpl<typeof MachineService> = {
  version: (_request, context) => ({
    messages: answersOf(context, () => ({
      version: { tag: "v1.13.9", sha: "abc", built: "", goVersion: "node v26", os: "linux", arch: "amd64" },
      features: { rbac: true },
    })),
  }),
  serviceList: (_request, context) => ({
    messages: answersOf(context, () => ({
      services: [
        {
          id: "apid",
          state: "Running",
          events: {
            events: [
              { state: "Waiting", msg: "Waiting for containerd", ts: timestampFromMs(Date.now() - 65_000) },
              { state: "Running", msg: "Started task apid", ts: timestampFromMs(Date.now() - 5000) },
            ],
          },
          health: { unknown: false, healthy: true, lastMessage: "" },
        },
        { id: "kubelet", state: "Waiting", events: { events: [] }, health: { unknown: true } },
      ],
    })),
  }),
  serviceRestart: ({ id }, context) => ({
    messages: answersOf(context, () => ({ resp: `Service "${id}" restarted` })),
  }),
  restart({ id, namespace }, context) {
    if (namespace !== "k8s.io") throw new Error(`unexpected namespace ${namespace}`);
    if (id !== "pod:c") throw new OsError({ kind: "not-found", message: `container "${id}" not found` });
    return { messages: answersOf(context, () => ({})) };
  },
  async *logs({ id, tailLines }, context) {
    for (const { metadata } of answersOf(context, () => ({}))) {
      for (const part of ["one\ntw", `o of ${id} ${tailLines}\n`, "no end"]) {
        yield { bytes: text(part), ...(metadata !== undefined && { metadata }) };
      }
    }
  },
  async *events(_request, context) {
    yield { data: { typeUrl: "", value: new Uint8Array() } };
    yield { id: "id0", actorId: "", data: {} };
    const data = anyPack(
      ServiceStateEventSchema,
      create(ServiceStateEventSchema, { service: "etcd", action: 3, message: "Health check successful" }),
    );
    yield { id: "id1", actorId: "", data: { ...data, typeUrl: "talos/runtime/machine.ServiceStateEvent" } };
    const status = create(MachineStatusEventSchema, {
      stage: 4,
      status: { ready: false, unmetConditions: [{ name: "nodeReady", reason: "" }] },
    });
    yield { id: "id2", actorId: "a", data: { ...anyPack(MachineStatusEventSchema, status) } };
    yield { id: "id3", actorId: "", data: { typeUrl: "talos/runtime/machine.Newer", value: new Uint8Array() } };
    await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
  },
  containers: (_request, context) => ({
    messages: answersOf(context, () => ({
      containers: [
        { namespace: "k8s.io", id: "pod/c", podId: "pod", image: "img", pid: 12, status: "RUNNING" },
        { namespace: "k8s.io", id: "pod", podId: "pod", image: "pause", pid: 11, status: "RUNNING" },
      ],
    })),
  }),
  memory: (_request, context) => ({
    messages: answersOf(context, () => ({
      meminfo: {
        memtotal: 2_097_152n,
        memfree: 1_048_576n,
        cached: 524_288n,
        buffers: 102_400n,
        memavailable: 1_572_864n,
      },
    })),
  }),
  async *list(_request, context) {
    for (const { metadata } of answersOf(context, () => ({}))) {
      const modified = BigInt(Date.UTC(2020, 0, 2) / 1000);
      yield {
        name: "/etc",
        relativeName: ".",
        mode: 0o20000000755,
        isDir: true,
        size: 60n,
        modified,
        ...(metadata && { metadata }),
      };
      yield {
        name: "/etc/l",
        relativeName: "l\u001b[2J\n",
        mode: 0o1000000777,
        link: "x",
        size: 1n,
        modified,
        ...(metadata && { metadata }),
      };
    }
  },
  async *read({ path }) {
    yield { bytes: text(`content of ${path}`) };
  },
  async *copy() {
    const archive = tarGz([
      { name: "dir/", type: "5" },
      { name: `dir/${"long".repeat(40)}`, content: "long" },
      { name: "dir/file", content: "hello" },
      { name: "link", type: "2", linkName: "dir/file" },
    ]);
    for (let at = 0; at < archive.length; at += 50) yield { bytes: archive.subarray(at, at + 50) };
  },
  bootstrap: (_request, context) => ({ messages: answersOf(context, () => ({})) }),
};

describe("commands", () => {
  let node: FakeNode;
  before(async () => {
    node = await startFakeNode({ machine, types: [service] });
    const spec = { running: true, healthy: true, unknown: false };
    await node.state.create(createResource(service, "apid", spec));
    await node.state.create(createResource(service, "machined", spec, { labels: { b: "2", a: "1" } }));
  });
  after(() => node[Symbol.asyncDispose]());

  describe("version", () => {
    it("shows the client and each node", async () => {
      const { out, err, code } = await node.run("version", "-n", "10.5.0.2");
      assert.match(out, /^Client:\n\tTag: {9}v1\.13\.9\n[^]*Server:\n\tNODE: {8}10\.5\.0\.2\n\tTag: {9}v1\.13\.9\n/);
      assert.match(out, /\tSHA: {9}abc\n\tBuilt: {7}unknown\n\tRuntime: {5}node v26\n/);
      assert.match(out, /\tOS\/Arch: {5}linux\/amd64\n\tEnabled: {5}RBAC\n$/);
      assert.deepEqual([err, code], ["", 0]);
    });
    it("warns of a node that fails and goes on with the others", async () => {
      const { out, err, code } = await node.run("version", "-n", `10.5.0.2,${deadNode}`);
      assert.equal(out.match(/NODE:/g)?.length, 1);
      assert.match(err, /^WARNING: 10\.5\.0\.99: rpc error: code = Unavailable desc = no route\n/);
      assert.match(err, /1 of 2 nodes failed, see the warnings above/);
      assert.equal(code, 1);
    });
    it("fails when all nodes fail", async () => {
      const { err, code } = await node.run("version", "-n", deadNode);
      assert.equal(err, `error getting version: ${deadNode}: rpc error: code = Unavailable desc = no route\n`);
      assert.equal(code, 1);
    });
    it("asks for nodes when there are none", async () => {
      const { err, code } = await node.run("version");
      assert.match(err, /^nodes are not set for the command: please use `--nodes` flag/);
      assert.equal(code, 1);
    });
  });

  describe("health", () => {
    it("T-20: says what runs the tests of Kubernetes, which it does not include", async () => {
      for (const words of [
        ["health", "--run-e2e", "-n", "a"],
        ["conformance", "kubernetes", "--mode", "certified"],
      ]) {
        const { err, code } = await node.run(...words);
        assert.equal(code, 1);
        assert.match(err, /^cannot run "(?:health --run-e2e|conformance kubernetes)": .*\nnext: npm run conformance/);
      }
      assert.match((await node.run("conformance", "k8s", "--mode", "slow")).err, /fast, certified, network-policy/);
    });
  });

  describe("service (T-33)", () => {
    // The clock goes on while the command runs.
    const withoutSeconds = (text: string): string => text.replaceAll(/\ds ago/g, "Ns ago");
    it("lists services with their last event", async () => {
      const { out } = await node.run("services", "-n", "a");
      assert.equal(
        withoutSeconds(out),
        [
          "NODE   SERVICE   STATE     HEALTH   LAST CHANGE   LAST EVENT",
          "a      apid      Running   OK       Ns ago        Started task apid",
          "a      kubelet   Waiting   ?         ago          <none>",
          "",
        ].join("\n"),
      );
    });
    it("shows the events of one, newest first", async () => {
      const { out } = await node.run("service", "apid", "-n", "a");
      assert.equal(
        withoutSeconds(out),
        [
          "NODE     a",
          "ID       apid",
          "STATE    Running",
          "HEALTH   OK",
          "EVENTS   [Running]: Started task apid (Ns ago)",
          "         [Waiting]: Waiting for containerd (1mNs ago)",
          "",
        ].join("\n"),
      );
    });
    it("says that nobody has a service", async () => {
      const { err, code } = await node.run("service", "x", "-n", "a");
      assert.deepEqual([err, code], ['service "x" is not registered on any nodes\nnext: talosctl services\n', 1]);
    });
    it("restarts a service", async () => {
      const { out } = await node.run("service", "kubelet", "restart", "-n", "a");
      assert.equal(out, 'NODE   RESPONSE\na      Service "kubelet" restarted\n');
    });
    it("refuses an action it does not know", async () => {
      assert.match((await node.run("service", "x", "jump", "-n", "a")).err, /unsupported service action: "jump"/);
    });
  });

  describe("get", () => {
    it("shows a table by any name of the type", async () => {
      const { out, code } = await node.run("get", "svc", "-n", "a,b");
      assert.equal(
        out,
        [
          "NODE   NAMESPACE   TYPE      ID         VERSION   RUNNING   HEALTHY   HEALTH UNKNOWN",
          "a      runtime     Service   apid       1         true      true      false",
          "a      runtime     Service   machined   1         true      true      false",
          "b      runtime     Service   apid       1         true      true      false",
          "b      runtime     Service   machined   1         true      true      false",
          "",
        ].join("\n"),
      );
      assert.equal(code, 0);
    });
    it("shows YAML with the spec as its node wrote it (D19)", async () => {
      const { out } = await node.run("get", "services", "machined", "-n", "a", "-o", "yaml");
      const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
      const lines = [
        "node: a",
        "metadata:",
        "    namespace: runtime",
        String.raw`    type: Services\.v1alpha1\.talos\.dev`,
        "    id: machined",
        "    version: 1",
        "    owner:",
        "    phase: running",
        `    created: ${time}`,
        `    updated: ${time}`,
        "    labels:",
        "        a: 1",
        "        b: 2",
        "spec:",
        "    running: true",
        "    healthy: true",
        "    unknown: false",
        "",
      ];
      assert.match(out, new RegExp(`^${lines.join("\n")}$`));
    });
    it("shows JSON with sorted keys, and results of a JSONPath", async () => {
      const json = JSON.parse((await node.run("get", "services", "apid", "-n", "a", "-o", "json")).out) as object;
      assert.deepEqual(Object.keys(json), ["metadata", "node", "spec"]);
      const { out } = await node.run("get", "services", "-n", "a", "-o", "jsonpath={.metadata.id}");
      assert.equal(out, "apid\nmachined\n");
    });
    it("marks changes while watching, and ends well when interrupted", async () => {
      const spec = { running: false, healthy: false, unknown: true };
      const enough = (out: string): boolean => {
        const started = out.includes("apid") && !out.includes("trustd");
        if (started) node.state.create(createResource(service, "trustd", spec)).catch(() => undefined);
        return out.includes("trustd");
      };
      const seen = node.runUntil(enough, "get", "services", "-n", "a", "-w");
      const { out, err, code } = await seen;
      assert.match(out, /^NODE +\* +NAMESPACE[^]*\na +\+ +runtime +Service +apid[^]*\na +\+ +runtime +Service +trustd/);
      assert.deepEqual([err, code], ["", 0]);
      await node.state.destroy({ namespace: "runtime", type: service.type, id: "trustd" });
    });
    it("shows what other nodes have when one fails, be it the first", async () => {
      for (const nodes of [`a,${deadNode}`, `${deadNode},a`]) {
        const { out, err, code } = await node.run("get", "services", "apid", "-n", nodes);
        assert.match(out, /\na +runtime/);
        assert.match(err, new RegExp(`^${deadNode}: rpc error: code = Unavailable desc = no route\n`));
        assert.equal(code, 1);
      }
    });
    it("names the way to the types when it does not know one", async () => {
      const { err } = await node.run("get", "nothing", "-n", "a");
      assert.equal(err, 'resource "nothing" is not registered\nnext: talosctl get rd\n');
    });
    it("lists the types", async () => {
      const { out } = await node.run("get", "rd", "-n", "a");
      assert.match(
        out,
        /^NODE +NAMESPACE +TYPE +ID +VERSION +ALIASES\n[^]*services\.v1alpha1\.talos\.dev +1 +svc service/,
      );
    });
  });

  it("logs (T-35) shows whole lines of each node", async () => {
    const { out } = await node.run("logs", "etcd", "-n", "a", "--tail", "5");
    assert.equal(out, "a: one\na: two of etcd 5\na: no end\n");
  });

  it("restart asks for a container of Kubernetes, and tells when there is none", async () => {
    assert.deepEqual(await node.run("restart", "-k", "pod:c", "-n", "a").then(({ out, code }) => [out, code]), ["", 0]);
    const { code, err } = await node.run("restart", "-k", "nope", "-n", "a");
    assert.notEqual(code, 0);
    assert.match(err, /container "nope" not found/);
  });

  it("events shows what it understands until interrupted", async () => {
    const { out, code } = await node.runUntil((text) => text.includes("id2"), "events", "-n", "a");
    const [header = "", first = "", second = ""] = out.split("\n");
    assert.match(header, /^NODE +ID +EVENT +ACTOR +SOURCE +MESSAGE$/);
    assert.match(first, /id1 +talos\/runtime\/machine\.ServiceStateEvent +etcd +RUNNING: Health check successful$/);
    assert.match(second, /id2 .* a +RUNNING +ready: false, unmet conditions: \[nodeReady\]$/);
    assert.equal(code, 0);
  });

  it("events writes one object for each event, for programs", async () => {
    const json = await node.runUntil((text) => text.includes("id2"), "events", "-n", "a", "-o", "json");
    const [first, second] = json.out.trimEnd().split("\n");
    assert.deepEqual(JSON.parse(first ?? ""), {
      node: "127.0.0.1",
      id: "id1",
      type: "talos/runtime/machine.ServiceStateEvent",
      actor: "",
      payload: { service: "etcd", action: "RUNNING", message: "Health check successful" },
    });
    const { payload } = JSON.parse(second ?? "") as {
      readonly payload: { readonly status: { readonly ready: boolean } };
    };
    assert.equal(payload.status.ready, false);
    const yaml = await node.runUntil((text) => text.includes("id2"), "events", "-n", "a", "-o", "yaml");
    assert.match(yaml.out, /^node: 127.0.0.1\nid: id1\n[^]*\n---\nnode: 127.0.0.1\nid: id2\n/);
  });

  it("containers sorts and indents those of a pod", async () => {
    const { out } = await node.run("containers", "-k", "-n", "a");
    assert.match(out, /\na +k8s\.io +pod +pause +11 +RUNNING\na +k8s\.io +└─ pod\/c +img +12 +RUNNING\n$/);
  });

  it("memory shows megabytes", async () => {
    const { out } = await node.run("memory", "-n", "a");
    assert.match(out, /\na +2048 +412 +1024 +0 +100 +512 +1536\n$/);
  });

  it("list -l shows modes and links", async () => {
    const { out } = await node.run("list", "-l", "/etc", "-n", "a");
    assert.match(out, /\na +drwxr-xr-x +0 +0 +60 +Jan {2}\d 2020 \d\d:\d\d +\.\n/);
    assert.match(out, /\na +Lrwxrwxrwx .* l\\x1b\[2J\\n -> x\n$/, "control characters are written out");
    assert.match((await node.run("list", "/etc", "-n", "a")).out, /l\\x1b\[2J\\n\n$/);
  });

  it("read writes the file to the output", async () => {
    assert.equal((await node.run("read", "/etc/os-release", "-n", "a")).out, "content of /etc/os-release");
    assert.match(
      (await node.run("read", "/x", "-n", "a,b")).err,
      /command "read" is not supported with multiple nodes\nnext: talosctl read \/x --nodes a\n/,
    );
  });

  it("copy unpacks into a folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "talosctl-copy-"));
    try {
      const { err, code } = await node.run("copy", "/x", join(folder, "to"), "-n", "a");
      assert.deepEqual([err, code], ["", 0]);
      assert.equal(await readFile(join(folder, "to/dir/file"), "utf8"), "hello");
      assert.equal(await readFile(join(folder, "to/dir", "long".repeat(40)), "utf8"), "long");
      assert.equal(await readlink(join(folder, "to/link")), "dir/file");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("bootstrap says nothing when all is well", async () => {
    assert.deepEqual(await node.run("bootstrap", "-n", "a"), { out: "", err: "", code: 0 });
  });

  it("says which command a node does not have", async () => {
    const { err, code } = await node.run("netstat", "-n", "a");
    assert.match(err, /next: nothing to change here/);
    assert.equal(code, 1);
  });

  it("--endpoints wins over the context, and a dead one is passed over (T-14, T-15)", async () => {
    const { code } = await node.run("version", "-n", "a", "-e", `127.0.0.1:1,${node.address}`);
    assert.equal(code, 0);
  });
});
