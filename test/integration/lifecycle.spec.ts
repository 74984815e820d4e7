import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createLinux, type ReapedOrphan } from "@talos-ts/linux";
import { restartNode, type NodePlan } from "@talos-ts/provision";
import { eventually, processesWith, type CliResult } from "./cluster-support.ts";
import { createNodes, processesOf, type Nodes, unsealed } from "./lifecycle-support.ts";
import { leftovers } from "./provision-support.ts";

/** Ends at once, but leaves a process behind that lives as long as it is told to, and does not listen to SIGTERM. */
const orphanMaker = (ms: number): string => {
  const orphan = `process.on("SIGTERM", () => {}); setTimeout(() => {}, ${String(ms)});`;
  const options = `{ detached: true, stdio: "ignore" }`;
  const words = `[${JSON.stringify("-e")}, ${JSON.stringify(orphan)}, "orphan"]`;
  return `require("node:child_process").spawn(process.execPath, ${words}, ${options}).unref();`;
};

describe("the life of a configured machine", () => {
  let nodes: Nodes;
  let controlPlane: NodePlan;
  let worker: NodePlan;
  const ended = new Map<number, ReapedOrphan>();
  const linux = createLinux();
  // The machines started here become this process's children, so that their exit codes are seen.
  linux.processes.becomeSubreaper();
  const reaper = linux.processes.startReaper((orphan) => ended.set(orphan.pid, orphan));

  const talosctl = (...args: readonly string[]): Promise<CliResult> => nodes.home.talosctl(...args);
  const out = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await talosctl(...args);
    assert.equal(code, 0, `talosctl ${args.join(" ")}\n${stdout}\n${stderr}`);
    return stdout;
  };
  const told = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await talosctl(...args);
    assert.deepEqual([code, stdout], [0, ""], `talosctl ${args.join(" ")}\n${stderr}`);
    return stderr;
  };
  const resolvers = async (node: NodePlan): Promise<unknown> => {
    const text = await out("-n", node.address, "get", "resolvers", "-o", "json");
    return (JSON.parse(text) as { readonly spec: { readonly dnsServers: unknown } }).spec.dnsServers;
  };
  const patch = (nameserver: string): string => `{"machine": {"network": {"nameservers": ["${nameserver}"]}}}`;
  const onDisk = async (node: NodePlan): Promise<string> =>
    unsealed(await readFile(join(nodes.volume(node, "state"), "config.yaml"), "utf8"));
  const healthy = (node: NodePlan, ...ids: readonly string[]): Promise<string> =>
    eventually(
      async () => (await talosctl("-n", node.address, "services")).stdout,
      (table) => ids.every((id) => new RegExp(`${id} +Running +OK`).test(table)),
    );
  /** Returns what a machine writes to its console while something is done to it. */
  const consoleDuring = async (node: NodePlan, work: () => Promise<unknown>): Promise<string> => {
    const before = (await nodes.console(node)).length;
    await work();
    return (await nodes.console(node)).slice(before);
  };
  const endOf = (pid: number): Promise<ReapedOrphan | undefined> =>
    eventually(
      async () => ended.get(pid),
      (end) => end !== undefined,
      60_000,
    );
  const file = async (name: string, text: string): Promise<string> => {
    const path = join(nodes.home.path, name);
    await writeFile(path, text);
    return path;
  };

  before(async () => {
    nodes = await createNodes({ name: "lc", subnet: "10.74.0.0/26", startConfig: (_node, good) => good });
    controlPlane = nodes.node("controlplane-1");
    worker = nodes.node("worker-1");
    await healthy(controlPlane, "apid", "containerd", "cri", "machined", "trustd");
    await healthy(worker, "apid", "containerd", "cri", "machined");
  });
  after(async () => {
    const { plan } = nodes;
    await nodes[Symbol.asyncDispose]();
    reaper[Symbol.dispose]();
    linux[Symbol.dispose]();
    assert.deepEqual(await leftovers(plan), []);
  });

  it("a dry run shows the change and its effects, and changes nothing", async () => {
    const before = await onDisk(worker);
    const text = await told("-n", worker.address, "patch", "mc", "--dry-run", "--patch", patch("10.9.9.1"));
    assert.match(text, /Dry run summary:\nApplied configuration without a reboot \(skipped in dry-run\)\./);
    assert.match(text, /\+ {12}- 10\.9\.9\.1/);
    assert.match(text, /Plan: 2 resources change, no reboot needed/);
    assert.match(text, /ResolverStatuses\.net\.talos\.dev\(network\/resolvers\)/);
    assert.equal(await onDisk(worker), before);
    assert.ok(!JSON.stringify(await resolvers(worker)).includes("10.9.9.1"));
  });

  it("a change without a reboot takes effect at once", async () => {
    const text = await told("-n", worker.address, "patch", "mc", "--mode", "no-reboot", "--patch", patch("10.9.9.2"));
    assert.match(text, /Applied configuration without a reboot/);
    assert.deepEqual(
      await eventually(
        () => resolvers(worker),
        (servers) => JSON.stringify(servers).includes("10.9.9.2"),
      ),
      ["10.9.9.2"],
    );
    const named = nodes
      .goodConfig(worker)
      .replace("kind: HostnameConfig\nauto: stable", "kind: HostnameConfig\nauto: off\nhostname: renamed");
    await out("-n", worker.address, "apply-config", "--mode", "no-reboot", "--file", await file("named.yaml", named));
    await eventually(
      () => out("-n", worker.address, "get", "hostname", "-o", "jsonpath={.spec.hostname}"),
      (hostname) => hostname.trim() === "renamed",
    );
    await out("-n", worker.address, "patch", "mc", "--patch", patch("10.9.9.2"));
  });

  it("an upgrade of a container is refused by the client, and by the node when it is asked in the older way", async () => {
    for (const [words, message] of [
      [[], /upgrade is not supported in container mode\nnext: talosctl cluster/],
      [["--legacy"], /method is not supported in container mode/],
    ] as const) {
      const { code, stderr } = await talosctl("-n", worker.address, "upgrade", ...words);
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
  });

  it("a change that needs a reboot is refused without one, and shows no secrets then", async () => {
    const other = nodes.goodConfig(worker).replace("machine:\n", "machine:\n    env:\n        COLOUR: blue\n");
    const path = await file("other.yaml", other.replace(/(\n {4}token: ).*/, "$1abcdef.0123456789abcdef"));
    const { code, stderr } = await talosctl("-n", worker.address, "apply-config", "-m", "no-reboot", "-f", path);
    assert.equal(code, 1);
    assert.match(stderr, /this config change can't be applied in immediate mode\ndiff:/);
    assert.match(stderr, /COLOUR: blue/);
    assert.doesNotMatch(stderr, /abcdef\.0123456789abcdef/);
  });

  it("a change on trial goes back by itself and is never written", async () => {
    // A watch from before sees the trial, however long the next command takes to start.
    const watch = nodes.home.unread("-n", worker.address, "get", "resolvers", "--watch", "-o", "json");
    let seen = "";
    watch.stdout?.setEncoding("utf8").on("data", (chunk: string) => void (seen += chunk));
    try {
      await eventually(
        async () => seen,
        (changes) => changes.includes("10.9.9.2"),
      );
      const args = ["patch", "mc", "--mode", "try", "--timeout", "3s", "--patch", patch("10.9.9.3")] as const;
      const text = await told("-n", worker.address, ...args);
      assert.match(text, /applied in 'try' mode and will be automatically reverted back in 3s/);
      assert.ok(!(await onDisk(worker)).includes("10.9.9.3"));
      await eventually(
        async () => seen,
        (changes) => /10\.9\.9\.3[^]*10\.9\.9\.2/.test(changes),
      );
    } finally {
      watch.kill("SIGKILL");
    }
    assert.deepEqual(await resolvers(worker), ["10.9.9.2"]);
    assert.ok(!(await onDisk(worker)).includes("10.9.9.3"));
    assert.match(await nodes.console(worker), /reverting the configuration that was applied in 'try' mode/);
  });

  it("a staged change waits for the next start, and is there after a power failure as it was written", async () => {
    const staged = `# staged by hand\n${nodes.goodConfig(worker).replace("machine:\n", "machine:\n    network:\n        nameservers: [10.9.9.4]\n")}`;
    const path = await file("staged.yaml", staged);
    const text = await told("-n", worker.address, "apply-config", "--mode", "staged", "--file", path);
    assert.match(text, /Staged configuration to be applied after the next reboot/);
    await eventually(
      () => onDisk(worker),
      (stored) => stored === staged,
    );
    assert.deepEqual(await resolvers(worker), ["10.9.9.2"]);
    const { clustersDirectory } = nodes;
    await restartNode({ name: nodes.plan.name, node: worker.name, clustersDirectory });
    await healthy(worker, "apid", "containerd", "cri", "machined");
    assert.deepEqual(await resolvers(worker), ["10.9.9.4"]);
    assert.equal(unsealed(await out("-n", worker.address, "read", "/system/state/config.yaml")), staged);
    const active = await out("-n", worker.address, "get", "mc", "v1alpha1", "-o", "json");
    assert.equal((JSON.parse(active) as { readonly spec: unknown }).spec, staged);
  });

  it("buries processes whose parents have left them", async () => {
    for (let index = 0; index < 5; index++) {
      const { code, stderr } = await nodes.runc("exec", controlPlane.name, "/usr/bin/node", "-e", orphanMaker(100));
      assert.equal(code, 0, stderr);
    }
    const left = await eventually(
      () => processesOf(nodes.plan, controlPlane),
      (list) => list.every(({ state, words }) => state !== "Z" && !words.endsWith("orphan")),
    );
    assert.ok(left.length > 0);
  });

  it("auto chooses a reboot where one is needed; it is quick and leaves nothing of the last run", async () => {
    const address = controlPlane.address;
    const pid = await nodes.init(controlPlane);
    const mounts = async (): Promise<number> =>
      (await readFile(`/proc/${String(pid)}/mountinfo`, "utf8")).split("\n").length;
    const identity = await out("-n", address, "get", "identities", "-o", "jsonpath={.spec.nodeId}");
    await nodes.runc("exec", controlPlane.name, "/usr/bin/node", "-e", orphanMaker(600_000));
    const old = await processesOf(nodes.plan, controlPlane);
    assert.ok(old.some(({ words }) => words.endsWith("orphan")));
    const mountsBefore = await mounts();
    const withEnvironment = nodes.goodConfig(controlPlane).replace("machine:\n", "machine:\n    env:\n        A: b\n");
    const path = await file("env.yaml", withEnvironment);
    const text = await consoleDuring(controlPlane, async () => {
      assert.match(await told("-n", address, "apply-config", "--file", path), /Applied configuration with a reboot/);
      await eventually(
        () => nodes.console(controlPlane),
        (lines) => /reboot sequence: 5 phase.*task startAllServices \(1\/1\): starting/s.test(lines.slice(-20_000)),
        60_000,
      );
    });
    assert.match(text, /apply config request: mode auto\(reboot\)/);
    assert.match(text, /machine config loaded successfully .*"sources": \["state"\]/);
    await healthy(controlPlane, "apid", "containerd", "cri", "machined", "trustd");
    assert.equal(await nodes.init(controlPlane), pid);
    assert.equal(await out("-n", address, "get", "identities", "-o", "jsonpath={.spec.nodeId}"), identity);
    assert.equal(await onDisk(controlPlane), withEnvironment);
    const present = await processesOf(nodes.plan, controlPlane);
    const known = new Set(old.map((each) => each.pid));
    assert.deepEqual(
      present.filter((each) => known.has(each.pid)).map((each) => each.pid),
      [pid],
    );
    // A process may have ended this very moment.
    await eventually(
      () => processesOf(nodes.plan, controlPlane),
      (list) => list.every(({ state }) => state !== "Z"),
    );
    await eventually(mounts, (count) => count === mountsBefore);
  });

  it("brings the CRI runtime back when it is killed", async () => {
    const group = `${nodes.plan.cgroup}/${worker.name}`;
    const [victim] = await processesWith(group, "/run/containerd/containerd.sock");
    assert.ok(victim !== undefined);
    process.kill(victim, "SIGKILL");
    await eventually(
      () => processesWith(group, "/run/containerd/containerd.sock"),
      (pids) => pids.length === 1 && !pids.includes(victim),
    );
    await healthy(worker, "cri");
    assert.match(await out("-n", worker.address, "service", "cri"), /going to restart forever.*killed by SIGKILL/);
  });

  it("SIGTERM ends a machine in order, in time, and without a complaint", async () => {
    const pid = await nodes.init(controlPlane);
    const text = await consoleDuring(controlPlane, async () => {
      process.kill(pid, "SIGTERM");
      const end = await endOf(pid);
      assert.equal(end?.exitCode, 0);
    });
    const position = (line: string): number => {
      const found = text.indexOf(line);
      assert.ok(found >= 0, `${line} is missing in\n${text}`);
      return found;
    };
    position("SIGTERM received, shutting down");
    const runtimeStops = position("service[containerd](Stopping): Sending SIGTERM");
    assert.ok(position("service[apid](Finished)") < runtimeStops);
    assert.ok(position("service[trustd](Finished)") < runtimeStops);
    assert.ok(runtimeStops < position("task shutdown (1/1): starting"));
    assert.deepEqual(await processesOf(nodes.plan, controlPlane), []);
  });

  it("D22: a reset wipes what the machine knows and ends it", async () => {
    const { clustersDirectory } = nodes;
    await restartNode({ name: nodes.plan.name, node: controlPlane.name, clustersDirectory });
    await healthy(controlPlane, "apid", "containerd", "cri", "machined", "trustd");
    const pid = await nodes.init(worker);
    const text = await consoleDuring(worker, async () => {
      await out("-n", worker.address, "reset");
      assert.equal((await endOf(pid))?.exitCode, 0);
    });
    assert.match(text, /reset sequence: 8 phase\(s\)/);
    assert.ok(text.indexOf("service[containerd](Finished)") < text.indexOf("task resetVolumes (1/1): starting"));
    assert.deepEqual(await readdir(nodes.volume(worker, "state")), []);
    assert.deepEqual(await readdir(nodes.volume(worker, "var")), []);
    assert.deepEqual(await processesOf(nodes.plan, worker), []);
  });
});
