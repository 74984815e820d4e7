import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { planCluster, type ClusterPlan } from "@talos-ts/provision";
import { createHome, eventually, processesWith, type CliResult, type Home } from "./cluster-support.ts";
import { dashboard } from "./dashboard.ts";
import { leftovers } from "./provision-support.ts";
import { streamsOfNode } from "./streams.ts";
import { runGoClient } from "../interop/go-talos.ts";

const name = "it";
const subnet = "10.73.0.0/24";
const [controlPlane, worker] = ["10.73.0.2", "10.73.0.3"];

describe("a cluster of one control plane and one worker", () => {
  let home: Home;
  let plan: ClusterPlan;
  let created: CliResult;
  const talosctl = (...args: readonly string[]): Promise<CliResult> => home.talosctl(...args);
  const out = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await talosctl(...args);
    assert.equal(code, 0, `talosctl ${args.join(" ")}\n${stdout}\n${stderr}`);
    return stdout;
  };
  const services = (node: string): Promise<string> => talosctl("-n", node, "services").then(({ stdout }) => stdout);

  before(async () => {
    home = await createHome();
    plan = planCluster({ name, subnet }, join(home.path, ".talos/clusters"));
    created = await talosctl("cluster", "create", "--name", name, "--subnet", subnet, "--images", "none");
  });
  after(async () => {
    await talosctl("cluster", "destroy", "--name", name);
    await home[Symbol.asyncDispose]();
  });

  it("comes up, names the next three commands, and is reachable at once", async () => {
    assert.equal(created.code, 0, created.stderr);
    const next = created.stderr.split("Next:\n")[1]?.trimEnd().split("\n") ?? [];
    assert.equal(next.length, 3, created.stderr);
    assert.match(created.stdout, /^NAME +/m);
    const words = next[0]?.trim().split(/\s+/).slice(1) ?? [];
    assert.match(await out(...words), /\S/);
  });

  it("answers version on both nodes through one endpoint", async () => {
    const text = await out("-n", `${controlPlane},${worker}`, "version");
    assert.match(text, /NODE: +10\.73\.0\.2\n\tTag: +v1\.13\.9/);
    assert.match(text, /NODE: +10\.73\.0\.3\n\tTag: +v1\.13\.9/);
    // Client and nodes run bundles of the same commit.
    assert.equal(new Set([...text.matchAll(/^\tSHA: +(\S+)$/gm)].map(([, sha]) => sha)).size, 1, text);
  });

  it("T-33: shows services with state, health and history", async () => {
    const table = await eventually(
      () => services(controlPlane),
      (text) =>
        ["apid", "containerd", "cri", "machined", "trustd"].every((id) => new RegExp(`${id} +Running +OK`).test(text)),
    );
    assert.match(table, /^NODE +SERVICE +STATE +HEALTH +LAST CHANGE +LAST EVENT\n/);
    const one = await out("-n", controlPlane, "service", "apid");
    assert.match(
      one,
      /^NODE +10\.73\.0\.2\nID +apid\nSTATE +Running\nHEALTH +OK\nEVENTS +\[Running\]: Health check successful \(/,
    );
    assert.match(one, /\[Running\]: Started task apid \(PID \d+\) for container apid/);
    assert.doesNotMatch(await services(worker), /trustd/);
    const { stderr } = await talosctl("-n", controlPlane, "service", "nope");
    assert.match(stderr, /service "nope" is not registered on any nodes/);
  });

  it("T-04: gives the worker a certificate signed by trustd", async () => {
    const text = await out("-n", worker, "get", "apicertificate", "-o", "yaml");
    assert.match(text, /server:\n +crt: /);
    assert.doesNotMatch(text, /client:\n +crt: \S/);
  });

  it("prints resources as table, YAML, JSON and JSONPath, and by any alias", async () => {
    assert.match(await out("-n", controlPlane, "get", "hostname"), /HostnameStatus +hostname +\d+ +it-controlplane-1/);
    const yaml = await out("-n", controlPlane, "get", "hostnamestatuses.net", "-o", "yaml");
    assert.match(
      yaml,
      /node: 10\.73\.0\.2\nmetadata:\n {4}namespace: network\n {4}type: HostnameStatuses\.net\.talos\.dev\n/,
    );
    const json = JSON.parse(await out("-n", worker, "get", "machinetype", "-o", "json")) as { readonly spec: unknown };
    assert.equal(json.spec, "worker");
    assert.equal((await out("-n", worker, "get", "hostname", "-o", "jsonpath={.spec.hostname}")).trim(), "it-worker-1");
    const unknown = await talosctl("-n", controlPlane, "get", "nonsense");
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /resource "nonsense" is not registered/);
  });

  it("T-39, T-46: says that only Kubernetes is missing, and why", async () => {
    await eventually(
      () => out("-n", worker, "get", "machinestatus", "-o", "yaml"),
      (yaml) => /stage: booting[^]*ready: false[^]*name: services\n +reason: kubelet not running\n/.test(yaml),
    );
    await eventually(
      () => out("-n", worker, "service", "kubelet"),
      (text) => /STATE +Preparing\n[^]*Retrying error: failed to pull image "ghcr\.io\/siderolabs\/kubelet:/.test(text),
    );
  });

  it("streams logs, kernel messages and events", async () => {
    assert.match(
      await out("-n", controlPlane, "logs", "machined"),
      /10\.73\.0\.2: .*\[talos\] initialize sequence: 2 phase\(s\)/,
    );
    assert.equal((await out("-n", controlPlane, "logs", "machined", "--tail", "2")).trimEnd().split("\n").length, 2);
    assert.match(await out("-n", controlPlane, "dmesg"), /^10\.73\.0\.2: \w+: +\w+: \[/);
    assert.match(
      await home.talosctlUntil(/SequenceEvent/, "-n", controlPlane, "events", "--tail", "-1"),
      /SequenceEvent/,
    );
    assert.match(await out("-n", controlPlane, "containers"), /system +apid/);
  });

  dashboard(() => ({
    home,
    nodes: [
      { address: controlPlane, name: `${name}-controlplane-1` },
      { address: worker, name: `${name}-worker-1` },
    ],
  }));

  streamsOfNode(() => ({ home, node: controlPlane, group: `${plan.cgroup}/${name}-controlplane-1` }));

  it("enforces roles: a reader reads, but neither secrets nor restarts", async () => {
    const reader = join(home.path, "reader");
    await out("-n", controlPlane, "config", "new", "--roles", "os:reader", reader);
    const asReader = (...args: readonly string[]) =>
      talosctl("--talosconfig", reader, "-e", controlPlane, "-n", controlPlane, ...args);
    assert.equal((await asReader("version")).code, 0);
    assert.match((await asReader("get", "osrootsecret")).stderr, /PermissionDenied|not authorized/);
    assert.match((await asReader("service", "apid", "restart")).stderr, /not authorized/);
    // As scripts know it from upstream's client.
    const refused = await asReader("get", "mc");
    assert.match(refused.stderr, /rpc error: code = PermissionDenied desc = not authorized/);
    assert.equal(refused.stdout, "NODE   NAMESPACE   TYPE   ID   VERSION\n");
  });

  it("T-16: a worker forwards nothing", async () => {
    const { code, stderr } = await talosctl("-e", worker, "-n", controlPlane, "version");
    assert.equal(code, 1);
    assert.match(stderr, /no request forwarding/);
    assert.equal((await talosctl("-e", worker, "-n", worker, "version")).code, 0);
  });

  it("runs daemons as their own users without capabilities", async () => {
    for (const [daemon, uid] of [
      ["apid", 50],
      ["trustd", 51],
    ] as const) {
      const [pid] = await processesWith(`${plan.cgroup}/${name}-controlplane-1`, daemon, "");
      const status = await readFile(`/proc/${String(pid)}/status`, "utf8");
      assert.match(status, new RegExp(`^Uid:\\t${String(uid)}\\t${String(uid)}\\t`, "m"));
      assert.match(status, /^CapEff:\t0+$/m);
      assert.match(status, /^CapBnd:\t0+$/m);
      assert.match(status, /^NoNewPrivs:\t1$/m);
    }
  });

  it("applies documents without a reboot, names what a container cannot do, and takes them back", async () => {
    const apiVersion = "v1alpha1";
    const asked = [
      { apiVersion, kind: "EnvironmentConfig", variables: { TALOS_TEST: "1" } },
      { apiVersion, kind: "UserVolumeConfig", name: "data", volumeType: "directory" },
      { apiVersion, kind: "WatchdogTimerConfig", device: "/dev/watchdog0" },
    ];
    const patch = async (documents: readonly object[]): Promise<void> => {
      const text = documents.map((document) => JSON.stringify(document)).join("\n---\n");
      await out("-n", worker, "patch", "mc", "--mode", "no-reboot", "--patch", `@${await home.write("p.yaml", text)}`);
    };
    const show = (...args: readonly string[]): Promise<string> =>
      talosctl("-n", worker, ...args).then(({ stdout, stderr }) => stdout + stderr);
    await patch(asked);
    await eventually(
      () => show("get", "environments", "-o", "yaml"),
      (text) => text.includes("- TALOS_TEST=1"),
    );
    await eventually(
      () => show("get", "mountstatus", "u-data"),
      (text) => text.includes("/var/mnt/data"),
    );
    assert.match(await out("-n", worker, "list", "/var/mnt"), / data$/m);
    assert.match(await out("-n", worker, "get", "settingproblems"), /watchdogs belong to the host of a container/);

    await patch(asked.map(({ kind, name: id }) => ({ apiVersion, kind, name: id, $patch: "delete" })));
    await eventually(
      () => show("get", "environments", "-o", "yaml"),
      (text) => !text.includes("TALOS_TEST"),
    );
    await eventually(
      () => show("get", "volumestatus", "u-data"),
      (text) => text.includes("doesn't exist"),
    );
  });

  it("brings killed services back and tells of it", async () => {
    for (const [id, ...words] of [
      // A process that named itself has an empty word behind its name.
      ["trustd", "trustd", ""],
      ["apid", "apid", ""],
      // The process that stands between containerd and a daemon, and with it the daemon.
      ["trustd", "-id", "trustd"],
      // Shims name the socket of containerd too, behind an option of another spelling.
      ["containerd", "/bin/containerd", "--address", "/system/run/containerd/containerd.sock"],
    ] as const) {
      const group = `${plan.cgroup}/${name}-controlplane-1`;
      // One that starts another program has two processes of these words for a moment.
      const [victim = 0] = await eventually(
        () => processesWith(group, ...words),
        (pids) => pids.length === 1,
      );
      process.kill(victim, "SIGKILL");
      const { history } = await eventually(
        async () => ({
          pids: await processesWith(group, ...words),
          table: await services(controlPlane),
          history: (await talosctl("-n", controlPlane, "service", id)).stdout,
        }),
        (seen) =>
          seen.pids.length === 1 &&
          !seen.pids.includes(victim) &&
          ["apid", "containerd", "trustd"].every((each) => new RegExp(`${each} +Running +OK`).test(seen.table)),
      );
      assert.match(history, /going to restart forever/);
    }
  });

  it("is driven by the public Go client, on both nodes", async () => {
    const reports = await runGoClient(join(home.path, ".talos/config"), [controlPlane, worker]);
    assert.deepEqual(
      reports.map((report) => report.hostname),
      ["it-controlplane-1", "it-worker-1"],
    );
    for (const report of reports) {
      assert.equal(report.version, "v1.13.9");
      assert.equal(report.platform, "container");
      assert.equal(report.services["apid"], "Running");
      assert.ok(report.definitions > 160);
      assert.ok(report.logBytes > 0);
      assert.equal(report.events.length, 5);
      assert.ok(report.watched.includes("machined"));
      assert.ok(report.addresses.some((address) => address.startsWith("10.73.0.")));
    }
  });

  it("brings a node back whose first process was killed, and tells why", async () => {
    type View = {
      readonly nodes: readonly { readonly pid: number; readonly lastDeath?: { readonly reason: string } }[];
    };
    const view = async (): Promise<View> =>
      JSON.parse(await out("cluster", "show", "--name", name, "-o", "json")) as View;
    const killed = (await view()).nodes[1]?.pid ?? 0;
    process.kill(killed, "SIGKILL");
    const { nodes } = await eventually(view, (seen) => {
      const pid = seen.nodes[1]?.pid ?? 0;
      return pid !== 0 && pid !== killed;
    });
    // Kernels before 6.15 keep the status to the parent.
    assert.match(nodes[1]?.lastDeath?.reason ?? "", /^killed by SIGKILL$|does not tell/);
    assert.equal(nodes[0]?.lastDeath, undefined);
    assert.match(
      await out("cluster", "show", "--name", name),
      /it-worker-1 ended without a shutdown once, last at .*: /,
    );
    const log = await eventually(
      () => talosctl("-n", worker, "logs", "machined"),
      ({ code }) => code === 0,
      240_000,
    );
    assert.match(log.stdout, /the last run ended without a shutdown.*(?:killed by SIGKILL|ended, with)/);
  });

  it("leaves a node down that was reset without a reboot", async () => {
    await out("-n", worker, "reset", "--graceful=false", "--wait=false");
    const shown = (): Promise<string> => out("cluster", "show", "--name", name);
    await eventually(shown, (text) => /it-worker-1 .* stopped/.test(text), 240_000);
    const log = await readFile(join(plan.directory, "supervisor.log"), "utf8");
    assert.equal([...log.matchAll(/ended without a shutdown/g)].length, 1, log);
    assert.match(await shown(), /ended without a shutdown once/);
  });

  it("destroy keeps the cluster while something cannot be saved, then saves logs and state and leaves nothing behind", async () => {
    await using folder = await temporaryDirectory();
    const [support, logs] = [join(folder.path, "support.zip"), join(folder.path, "logs.tar.gz")];
    const impossible = join(plan.directory, "state.yaml", "logs.tar.gz");
    const refused = await talosctl(
      "cluster",
      "destroy",
      "--name",
      name,
      "--save-cluster-logs-archive-path",
      impossible,
    );
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /the logs could not be saved: .*\nnext: talosctl cluster destroy --name \S+ --force/);
    const files = ["--save-support-archive-path", support, "--save-cluster-logs-archive-path", logs];
    await out("cluster", "destroy", "--name", name, ...files);
    assert.deepEqual(await leftovers(plan), []);
    assert.ok((await stat(support)).size > 10_000, "the support bundle has files of the control plane");
    const listed = await promisify(execFile)("tar", ["-tzf", logs]);
    assert.match(listed.stdout, /^nodes\/\S+\/console\.log$/m);
  });
});
