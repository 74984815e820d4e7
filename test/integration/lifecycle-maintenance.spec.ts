import assert from "node:assert/strict";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { restartNode, type NodePlan } from "@talos-ts/provision";
import { eventually, type CliResult } from "./cluster-support.ts";
import { createNodes, wordIn, type Nodes, unsealed } from "./lifecycle-support.ts";
import { leftovers } from "./provision-support.ts";

/** Without a configuration, with one that is not YAML, with one that is not valid. */
const [unconfigured, illegible, invalid] = ["controlplane-1", "worker-1", "worker-2"] as const;

const reasons = {
  [illegible]: /failed to load config via platform container: line 2, column 1: not valid YAML/,
  [invalid]:
    /failed to validate config acquired via platform container: .*feature HostDNS should forward kube-dns to host/s,
} as const;

describe("a machine in maintenance mode", () => {
  let nodes: Nodes;
  const talosctl = (...args: readonly string[]): Promise<CliResult> => nodes.home.talosctl(...args);
  const out = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await talosctl(...args);
    assert.equal(code, 0, `talosctl ${args.join(" ")}\n${stdout}\n${stderr}`);
    return stdout;
  };
  const insecure = (node: NodePlan, command: string, ...args: readonly string[]): Promise<CliResult> =>
    talosctl(command, ...args, "--insecure", "-n", node.address);
  const inMaintenance = (node: NodePlan): Promise<CliResult> =>
    eventually(
      () => insecure(node, "version"),
      ({ code }) => code === 0,
    );
  /** Waits until a node has left maintenance mode; without images it stays in the stage `booting`. */
  const running = (node: NodePlan): Promise<CliResult> =>
    eventually(
      () => talosctl("-n", node.address, "get", "machinestatus", "-o", "jsonpath={.spec.stage}"),
      ({ stdout }) => ["booting", "running"].includes(stdout.trim()),
    );
  const fingerprint = async (node: NodePlan): Promise<string> =>
    wordIn(await nodes.console(node), /--cert-fingerprint '([^']+)'/g);
  /** The configuration with a remark in it, so that it is read back as it was written. */
  const configFile = async (node: NodePlan): Promise<string> => {
    const path = join(nodes.home.path, `${node.name}.yaml`);
    await writeFile(path, `# for ${node.name}, by hand\n${nodes.goodConfig(node)}`);
    return path;
  };

  before(async () => {
    nodes = await createNodes({
      name: "lcm",
      subnet: "10.77.0.128/26",
      workers: 2,
      startConfig: (node, good) => {
        if (node.name.endsWith(illegible)) return "machine: [\n";
        if (node.name.endsWith(invalid)) return good.replace("ToHost: true", "ToHost: false");
        return undefined;
      },
    });
  });
  after(async () => {
    const { plan } = nodes;
    await nodes[Symbol.asyncDispose]();
    assert.deepEqual(await leftovers(plan), []);
  });

  it("answers version and reads, but shows no secrets", async () => {
    const node = nodes.node(unconfigured);
    const { stdout } = await inMaintenance(node);
    assert.match(stdout, /Tag: +v1\.13\.9/);
    assert.match((await insecure(node, "get", "addresses")).stdout, /eth0\/10\.77\.0\.130/);
    const { stdout: stage } = await insecure(node, "get", "machinestatus", "-o", "jsonpath={.spec.stage}");
    assert.equal(stage.trim(), "maintenance");
    for (const type of ["mc", "osrootsecret"])
      assert.match((await insecure(node, "get", type)).stderr, /not authorized/);
  });

  it("says on its console where it is, and how to configure it", async () => {
    const node = nodes.node(unconfigured);
    const text = await nodes.console(node);
    const lines = [
      "entering maintenance service",
      "this machine is reachable at:",
      `\t${node.address}`,
      `server certificate issued`,
      "upload configuration using talosctl:",
      `\ttalosctl apply-config --insecure --nodes ${node.address} --file <config.yaml>`,
      "optionally with node fingerprint check:",
    ];
    let position = -1;
    for (const line of lines) {
      const found = text.indexOf(`[talos] ${line}`, position + 1);
      assert.ok(found > position, `${JSON.stringify(line)} is missing or out of order in\n${text}`);
      position = found;
    }
  });

  for (const name of [illegible, invalid] as const) {
    it(`says what is wrong with the configuration of ${name}`, async () => {
      const node = nodes.node(name);
      await inMaintenance(node);
      const text = await nodes.console(node);
      assert.match(text, new RegExp(`cannot use the machine config.*${reasons[name].source}`, "s"));
      assert.ok(text.indexOf("cannot use the machine config") < text.indexOf("entering maintenance service"));
    });
  }

  it("takes no configuration that it could not run with", async () => {
    const node = nodes.node(unconfigured);
    const broken = join(nodes.home.path, "broken.yaml");
    await writeFile(broken, "machine: [\n");
    const { code, stderr } = await insecure(node, "apply-config", "--file", broken);
    assert.equal(code, 1);
    assert.match(stderr, /not valid YAML/);
  });

  it("is not configured by a client that expects another machine", async () => {
    const node = nodes.node(unconfigured);
    const file = await configFile(node);
    const other = await fingerprint(nodes.node(illegible));
    const { code, stderr } = await insecure(node, "apply-config", "--file", file, "--cert-fingerprint", other);
    assert.equal(code, 1);
    assert.match(stderr, /leaf peer certificate doesn't match the provided fingerprints/);
    assert.doesNotMatch(await nodes.console(node), /apply config request/);
  });

  it("shows no secrets in a dry run", async () => {
    const node = nodes.node(unconfigured);
    const { stderr } = await insecure(node, "apply-config", "--file", await configFile(node), "--dry-run");
    assert.match(stderr, /\+ {4}token: '\*{6}'/);
    assert.doesNotMatch(stderr, /\+ {4}(?:token|secret): [^'\s]/);
    assert.doesNotMatch(await nodes.console(node), /apply config request/);
  });

  it("runs with the configuration it is given, which stays as it was written", async () => {
    const node = nodes.node(unconfigured);
    const file = await configFile(node);
    const print = await fingerprint(node);
    assert.equal((await insecure(node, "apply-config", "--file", file, "--cert-fingerprint", print)).code, 0);
    await running(node);
    const stored = await readFile(join(nodes.volume(node, "state"), "config.yaml"), "utf8");
    assert.equal(unsealed(stored), await readFile(file, "utf8"));
    const text = await nodes.console(node);
    assert.match(text, /leaving maintenance service/);
    assert.match(text, /machine config loaded successfully .*"sources": \["maintenance"\]/);
  });

  it("refuses those without a certificate from then on", async () => {
    const node = nodes.node(unconfigured);
    const file = await configFile(node);
    for (const [command, ...args] of [["version"], ["get", "hostname"], ["apply-config", "--file", file]] as const) {
      const { code, stderr } = await insecure(node, command, ...args);
      assert.equal(code, 1, command);
      assert.match(stderr, /certificate/);
    }
  });

  for (const [name, event] of [
    [illegible, "ConfigLoadErrorEvent"],
    [invalid, "ConfigValidationErrorEvent"],
  ] as const) {
    it(`lets a machine with a broken configuration be mended, and ${event} tells of it`, async () => {
      const node = nodes.node(name);
      assert.equal((await insecure(node, "apply-config", "--file", await configFile(node))).code, 0);
      await running(node);
      const wished = new RegExp(`${event} .*${reasons[name].source}`, "s");
      await nodes.home.talosctlUntil(wished, "-n", node.address, "events", "--tail", "-1");
    });
  }

  it("is where a machine goes whose configuration was cut off on disk, however often it starts", async () => {
    const node = nodes.node(illegible);
    const file = join(nodes.volume(node, "state"), "config.yaml");
    const { clustersDirectory } = nodes;
    for (const length of [300, 0]) {
      process.kill(await nodes.init(node), "SIGKILL");
      await truncate(file, length);
      const before = (await nodes.console(node)).length;
      await restartNode({ name: nodes.plan.name, node: node.name, clustersDirectory });
      await inMaintenance(node);
      const text = (await nodes.console(node)).slice(before);
      assert.match(text, /cannot use the machine config \{"error": "failed to load \\"config\.yaml\\" from STATE: \S/);
      assert.equal(text.match(/entering maintenance service/g)?.length, 1);
    }
  });

  it("is left again with a new configuration, as the same machine", async () => {
    const node = nodes.node(illegible);
    const identity = await readFile(join(nodes.volume(node, "state"), "node-identity.yaml"), "utf8");
    assert.equal((await insecure(node, "apply-config", "--file", await configFile(node))).code, 0);
    await running(node);
    const nodeId = await out("-n", node.address, "get", "identities", "-o", "jsonpath={.spec.nodeId}");
    assert.ok(identity.includes(nodeId.trim()));
  });

  it("is where a reset leads that starts the machine again", async () => {
    const node = nodes.node(unconfigured);
    await out("-n", node.address, "reset", "--graceful=false", "--reboot");
    await inMaintenance(node);
    await eventually(
      () => insecure(node, "get", "machinestatus", "-o", "jsonpath={.spec.stage}"),
      ({ stdout }) => stdout.trim() === "maintenance",
    );
    assert.match((await insecure(node, "get", "mc")).stderr, /not authorized/);
    assert.match(await nodes.console(node), /task resetVolumes \(1\/1\): done/);
  });

  it("ends in order when it is told to", async () => {
    const node = nodes.node(unconfigured);
    process.kill(await nodes.init(node), "SIGTERM");
    await eventually(
      () => nodes.runc("state", node.name),
      ({ stdout }) => stdout.includes('"status": "stopped"'),
      60_000,
    );
    const text = await nodes.console(node);
    const last = text.slice(text.lastIndexOf("SIGTERM received"));
    assert.match(
      last,
      /shutdown sequence: 5 phase.*service\[containerd\]\(Finished\).*task shutdown \(1\/1\): starting\n$/s,
    );
  });
});
