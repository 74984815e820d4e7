import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { open, readdir, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { layout, planCluster, showCluster, stopCluster, type ClusterPlan, type NodePlan } from "@talos-ts/provision";
import { dropPackets } from "../chaos/node-firewall.ts";
import { eventually, processesWith, type CliResult } from "./cluster-support.ts";
import {
  countKeys,
  homePath,
  isHealthy,
  out,
  prepareEtcd,
  service,
  talosctl,
  untilItWaits,
  withCluster,
  writeKeys,
} from "./etcd-support.ts";

/** Revision and number of keys of the snapshot that one suite saves and the next recovers from. */
let saved = "";
/** In the table of members: a machine that is a learner, or waits to be one. */
const unfinished = /true|queued/;

prepareEtcd();

/** Makes all logs of a member unusable, as a broken disk does. */
async function breakLogs(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".wal"));
  for (const name of names) {
    await using file = await open(join(directory, name), "r+");
    await file.write(randomBytes(12_288), 0, 12_288, 0);
  }
}

describe("etcd on three control plane machines", () => {
  const name = "it-etcd";
  const nodes = ["10.86.0.2", "10.86.0.3", "10.86.0.4"] as const;
  const [first, second, third] = nodes;
  const shared = "10.86.0.50";
  const vip = `{apiVersion: v1alpha1, kind: Layer2VIPConfig, name: ${shared}, link: eth0}`;
  withCluster(name, "10.86.0.0/24", "--controlplanes", "3", "--config-patch-control-plane", vip);
  let plan: ClusterPlan;
  before(() => {
    plan = planCluster({ name, subnet: "10.86.0.0/24", controlPlanes: 3, workers: 0 }, clusters());
  });
  /** Nodes that have the shared address, as they say themselves. */
  const owners = async (): Promise<readonly string[]> => {
    const { stdout } = await talosctl("-n", nodes.join(), "get", "addresses");
    return stdout.split("\n").flatMap((line) => (line.includes(`${shared}/32`) ? [line.split(" ", 1)[0] ?? ""] : []));
  };

  it("T-37: waits for a cluster and tells people to bootstrap one", async () => {
    await untilItWaits(first);
    const log = await out("-n", first, "logs", "machined");
    assert.match(log, /please run `talosctl bootstrap` against one of the following IPs:\n.*\[10\.86\.0\.2\]/);
    const refused = await talosctl("-n", first, "etcd", "status");
    assert.match(refused.stderr, /failed to query etcd status: .*ECONNREFUSED[^]*next: talosctl service etcd/);
  });

  it("T-38, C-24: bootstraps one, the others join as learners and are promoted", async () => {
    await out("-n", first, "bootstrap");
    await eventually(() => service(first), isHealthy);
    const members = await eventually(
      () => talosctl("-n", first, "etcd", "members"),
      ({ stdout }) => stdout.trimEnd().split("\n").length === 4 && !unfinished.test(stdout),
      240_000,
    );
    assert.match(members.stdout, /^NODE +ID +HOSTNAME +PEER URLS +CLIENT URLS +LEARNER\n/);
    assert.match(
      members.stdout,
      /^10\.86\.0\.2 +[0-9a-f]{16} +it-etcd-controlplane-2 +https:\/\/10\.86\.0\.3:2380 +https:\/\/10\.86\.0\.3:2379 +false$/m,
    );
    // Members that are asked during an election do not agree yet.
    await eventually(
      async () => JSON.parse(await out("-n", nodes.join(), "etcd", "status", "-o", "json")) as { leader: string }[],
      (status) => status.length === 3 && new Set(status.map(({ leader }) => leader)).size === 1,
    );
    assert.equal(await out("-n", first, "etcd", "alarm", "list"), "");
    assert.match(await out("-n", first, "get", "etcdmember"), / local +1 +[0-9a-f]{16}\n/);
  });

  it("T-38: refuses a second bootstrap, on the same machine and on others", async () => {
    const again = await talosctl("-n", first, "bootstrap");
    assert.match(again.stderr, /etcd data directory is not empty/);
  });

  it("C-26: saves a snapshot whose checksum and contents are verified", async () => {
    await writeKeys(first, 100);
    const text = await out("-n", first, "etcd", "snapshot", "db.snapshot");
    const { size, mode } = await stat(join(homePath(), "db.snapshot"));
    assert.match(text, new RegExp(`^etcd snapshot saved to "db\\.snapshot" \\(${String(size)} bytes\\)$`, "m"));
    const info = /^snapshot info: hash [0-9a-f]{8}, revision (\d+), total keys (\d+), total size \d+$/m.exec(text);
    // Kubernetes writes beside the test.
    assert.ok(Number(info?.[1]) >= 101 && Number(info?.[2]) >= 100, text);
    saved = `revision ${info?.[1] ?? ""}, total keys ${info?.[2] ?? ""}`;
    assert.equal(mode & 0o777, 0o600);
    assert.ok(!(await readdir(homePath())).includes("db.snapshot.part"));
  });

  it("comes back after it was killed, with its data", async () => {
    const [pid] = await processesWith(name, "--initial-advertise-peer-urls=https://10.86.0.3:2380");
    assert.ok(pid !== undefined);
    process.kill(pid, "SIGKILL");
    const history = await eventually(
      () => service(second),
      (text) => text.includes("exit code 137") && isHealthy(text),
    );
    assert.match(
      history,
      /Error running Containerd\(etcd\), going to restart forever: task "etcd" failed: exit code 137/,
    );
    const status = await out("-n", nodes.join(), "etcd", "status", "-o", "json");
    const indexes = (JSON.parse(status) as { raftIndex: number }[]).map(({ raftIndex }) => raftIndex);
    assert.ok(Math.min(...indexes) >= 100, status);
  });

  it("hands the leadership over, and defragments", async () => {
    const leaderOf = async (): Promise<string | undefined> => {
      const all = await out("-n", nodes.join(), "etcd", "status", "-o", "json");
      const found = JSON.parse(all) as { node: string; member: string; leader: string }[];
      return found.find(({ member, leader }) => member === leader)?.node;
    };
    const earlier = await eventually(leaderOf, (leader) => leader !== undefined);
    assert.ok(earlier !== undefined);
    await out("-n", earlier, "etcd", "forfeit-leadership");
    await eventually(leaderOf, (leader) => leader !== undefined && leader !== earlier);
    await out("-n", first, "etcd", "defrag");
  });

  it("T-17, T-79: gives the shared address to one machine, which nobody takes for its own", async () => {
    await eventually(owners, ({ length }) => length === 1, 240_000);
    const socket = connect({ host: shared, port: 50_000 });
    await once(socket, "connect");
    socket.destroy();
    const members = await out("-n", first, "get", "members");
    assert.ok(members.includes('["10.86.0.3"]') && !members.includes(shared), members);
    assert.ok(!(await out("-n", first, "etcd", "members")).includes(shared));
  });

  it("validates, begins and ends a downgrade of three members", async () => {
    const downgrade = (...args: readonly string[]): Promise<string> => out("-n", first, "etcd", "downgrade", ...args);
    assert.match(await downgrade("validate", "3.5"), /downgrade validate success/);
    assert.match(await downgrade("enable", "3.5"), /downgrade enable success/);
    assert.match(await downgrade("cancel"), /downgrade cancel success/);
  });

  it("tells the other members a new address of a machine", async () => {
    const address = "10.86.0.130";
    const patch = {
      machine: { network: { interfaces: [{ interface: "eth0", addresses: [`${address}/24`] }] } },
      cluster: { etcd: { advertisedSubnets: [`${address}/32`] } },
    };
    await out("-n", second, "patch", "machineconfig", "--patch", JSON.stringify(patch));
    const members = await eventually(
      () => talosctl("-n", first, "etcd", "members").then(({ stdout }) => stdout),
      (text) => text.includes(`https://${address}:2380`),
      240_000,
    );
    assert.ok(!members.includes(`https://${second}:2380`), members);
    await eventually(() => service(second), isHealthy, 240_000);
  });

  it("T-79: moves the shared address when its machine is gone, and forgets a member that is removed", async () => {
    const [owner = ""] = await eventually(owners, ({ length }) => length === 1, 240_000);
    const node = plan.nodes.find(({ address }) => address === owner);
    assert.ok(node !== undefined);
    const { nodes: shown } = await showCluster(name, clusters());
    const { pid } = shown.find((each) => each.name === node.name) ?? {};
    assert.ok(pid !== undefined && pid > 0);
    process.kill(pid, "SIGKILL");
    // Without its container the supervisor takes it for one that was stopped.
    await stopCluster({ name, clustersDirectory: clusters(), nodes: [node.name], graceMs: 0 });
    const helper = nodes.find((address) => address !== owner) ?? "";
    await eventually(owners, (found) => found.length === 1 && !found.includes(owner), 240_000);

    const memberOf = (text: string): string | undefined =>
      text
        .split("\n")
        .find((line) => line.includes(` ${node.name} `))
        ?.split(/ +/)[1];
    const member = memberOf(await out("-n", helper, "etcd", "members"));
    assert.ok(member !== undefined);
    await out("-n", helper, "etcd", "remove-member", member);
    assert.equal(memberOf(await out("-n", helper, "etcd", "members")), undefined);

    // What was removed does not come back with its data; wiped, it joins as a new member.
    await out("cluster", "start", "--name", name, node.name);
    await out("-n", owner, "reset", "--graceful=false", "--reboot", "--timeout", "5m");
    const text = await eventually(
      () => talosctl("-n", helper, "etcd", "members").then(({ stdout }) => stdout),
      (found) => memberOf(found) !== undefined && !unfinished.test(found),
      240_000,
    );
    assert.notEqual(memberOf(text), member);
    await eventually(() => service(owner), isHealthy, 240_000);
  });

  it("recovers from the member that is left after the quorum is lost", async () => {
    await writeKeys(first, 100);
    const recover = (...args: readonly string[]): Promise<CliResult> =>
      talosctl("-n", nodes.join(), "etcd", "recover", ...args);
    const refused = await recover("--yes");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /etcd has quorum and all members are well, there is nothing to recover/);

    const broken = plan.nodes.filter(({ address }) => address !== first);
    for (const node of broken) await breakLogs(join(layout.volume(plan, node, "var"), "lib/etcd/member/wal"));
    for (const pid of await processesWith(name, "--data-dir=/var/lib/etcd")) process.kill(pid, "SIGKILL");
    await eventually(
      () => talosctl("-n", first, "etcd", "members"),
      ({ code }) => code !== 0,
    );

    const rehearsed = await recover("--rehearse");
    assert.equal(rehearsed.code, 0, rehearsed.stderr);
    assert.match(rehearsed.stdout, new RegExp(`^${RegExp.escape(second)} +unreadable `, "m"));
    assert.match(rehearsed.stderr, /^rehearsed on 10\.86\.0\.2: .* took a write; nothing was changed$/m);
    // A person may choose, but not what cannot be read.
    const unread = await recover("--survivor", second, "--yes");
    assert.equal(unread.code, 1);
    assert.match(unread.stderr, /^Cannot recover from 10\.86\.0\.3: its data could not be read \(unreadable: .+\)$/m);
    assert.match(unread.stderr, /^next: talosctl etcd recover --dry-run$/m);
    const unconfirmed = await recover();
    assert.equal(unconfirmed.code, 1);
    assert.match(unconfirmed.stderr, /^unknown: it-etcd-controlplane-\d, it-etcd-controlplane-\d could not be read/m);
    assert.match(unconfirmed.stderr, /^next: talosctl .*etcd recover --nodes 10\.86\.0\.2,.* --yes$/m);

    const done = await recover("--yes");
    assert.equal(done.code, 0, `${done.stdout}\n${done.stderr}`);
    assert.match(done.stderr, /^10\.86\.0\.2: begins with revision \d+, \d+ keys/m);
    const members = await out("-n", first, "etcd", "members");
    assert.equal(members.trimEnd().split("\n").length, 4, members);
    assert.ok(!unfinished.test(members), members);
    assert.equal(await countKeys(third), 100n);
    assert.match(await out("-n", first, "operations"), /etcd recover +done +5\/5/);
  });

  it(
    "goes on with the member that a person chooses, which has not seen the last writes",
    {
      skip:
        process.env["TEST_LONG"] === undefined && "a second recovery: npm run integration -- integration/etcd --long",
    },
    async () => {
      await using undo = new AsyncDisposableStack();
      const [, broken, chosen] = plan.nodes;
      assert.ok(broken !== undefined && chosen !== undefined);
      const init = async ({ name: wanted }: Pick<NodePlan, "name">): Promise<number> =>
        (await showCluster(name, clusters())).nodes.find((each) => each.name === wanted)?.pid ?? 0;
      // The third member is cut off from the others, which go on without it; then one of them loses its logs.
      const peers = ["tcp dport 2380 drop", "tcp sport 2380 drop"];
      await dropPackets({ cluster: { init }, node: chosen, undo }, { incoming: peers, outgoing: peers });
      await writeKeys(first, 130);
      const found = await processesWith(name, "--data-dir=/var/lib/etcd");
      await breakLogs(join(layout.volume(plan, broken, "var"), "lib/etcd/member/wal"));
      for (const pid of found) process.kill(pid, "SIGKILL");
      await eventually(
        () => talosctl("-n", first, "etcd", "members"),
        ({ code }) => code !== 0,
      );

      const flags = ["-n", nodes.join(), "etcd", "recover", "--survivor", third];
      const shown = await talosctl(...flags, "--dry-run");
      assert.equal(shown.code, 0, shown.stderr);
      assert.match(shown.stderr, /^survivor: 10\.86\.0\.4 \(it-etcd-controlplane-3\), revision \d+/m);
      assert.match(shown.stderr, /^lost: \d+ revisions, from \d+ to \d+, which another member has$/m);
      const running = talosctl(...flags, "--yes");
      // Connected again only when the others are stopped and it has begun anew: two of the former three would have quorum.
      await Promise.race([
        running,
        eventually(
          () => talosctl("-n", third, "etcd", "members"),
          ({ code, stdout }) => code === 0 && stdout.trimEnd().split("\n").length === 2,
          240_000,
        ),
      ]);
      await undo.disposeAsync();
      const done = await running;
      assert.equal(done.code, 0, `${done.stdout}\n${done.stderr}`);
      assert.match(done.stderr, /^10\.86\.0\.4: begins with revision \d+/m);
      const members = await out("-n", first, "etcd", "members");
      assert.equal(members.trimEnd().split("\n").length, 4, members);
      // The second one serves on the address that it was given meanwhile.
      for (const node of [first, third]) assert.equal(await countKeys(node), 100n);
    },
  );

  it("C-25: leaves the cluster and deletes its data; a bootstrap there would make a second cluster", async () => {
    await out("-n", third, "etcd", "leave");
    // The one that left may have been the leader: until there is another, etcd refuses to list members.
    const members = await eventually(
      () => talosctl("-n", first, "etcd", "members"),
      ({ code }) => code === 0,
    );
    assert.equal(members.stdout.trimEnd().split("\n").length, 3);
    const node = plan.nodes.find(({ address }) => address === third);
    assert.ok(node !== undefined);
    assert.deepEqual(await readdir(join(layout.volume(plan, node, "var"), "lib/etcd")), []);
    // A machine without etcd is out of the election.
    await eventually(owners, (found) => found.length === 1 && !found.includes(third), 240_000);
    const refused = await talosctl("-n", third, "bootstrap");
    assert.match(
      refused.stderr,
      /etcd is bootstrapped already: a member of the cluster answers at 10\.86\.0\.\d+:2379/,
    );
  });

  it("D13: leaves the cluster on a graceful reset, and others forget the machine", async () => {
    await out("-n", second, "reset", "--timeout", "5m");
    const { stdout: members } = await eventually(
      () => talosctl("-n", first, "etcd", "members"),
      ({ code }) => code === 0,
    );
    assert.deepEqual(
      [members.includes("it-etcd-controlplane-1"), members.includes("it-etcd-controlplane-2")],
      [true, false],
    );
    await eventually(
      () => out("-n", first, "get", "members"),
      (text) => !text.includes("it-etcd-controlplane-2"),
    );
    const refused = await talosctl("-n", first, "reset");
    assert.match(refused.stderr, /this machine is its only member[^]*next: talosctl reset --graceful=false/);
  });
});

describe("etcd from a snapshot", () => {
  const node = "10.87.0.2";
  withCluster("it-recover", "10.87.0.0/24");

  it("T-43: begins with the contents of the snapshot", async () => {
    await untilItWaits(node);
    const { code, stderr } = await talosctl("-n", node, "bootstrap", "--recover-from", "db.snapshot");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^recovering from snapshot "db\.snapshot": total size /);
    const history = await eventually(() => service(node), isHealthy);
    assert.match(history, new RegExp(`Recovering from snapshot: hash [0-9a-f]{8}, ${saved}`));
    const members = await out("-n", node, "etcd", "members");
    assert.match(members, /it-recover-controlplane-1 +https:\/\/10\.87\.0\.2:2380/);
    const again = /total keys (\d+)/.exec(await out("-n", node, "etcd", "snapshot", "again.snapshot"));
    assert.ok(Number(again?.[1]) >= 100);
  });
});

function clusters(): string {
  return join(homePath(), ".talos/clusters");
}
