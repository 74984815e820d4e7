import assert from "node:assert/strict";
import { linkFlags, type Link } from "../network/link.ts";
import type { Network, NetworkEvent } from "../network/network.ts";
import type { ConformanceSuites } from "./subject.ts";

let names = 0;
const freshName = (): string => `cf${String(process.pid % 10_000)}x${String(names++)}`;

async function makeVeth(network: Network): Promise<{ readonly left: Link; readonly right: Link } & AsyncDisposable> {
  const [name, peer] = [freshName(), freshName()];
  const left = await network.createLink({ name, info: { kind: "veth", peer: { name: peer } }, up: true });
  const right = await network.link(peer);
  assert.ok(left !== undefined && right !== undefined);
  await network.changeLink(right.index, { up: true });
  return {
    left,
    right,
    [Symbol.asyncDispose]: async () => {
      if ((await network.link(left.index)) !== undefined) await network.deleteLink(left.index);
    },
  };
}

async function first<T extends NetworkEvent>(
  events: AsyncIterable<NetworkEvent>,
  wanted: (event: NetworkEvent) => event is T,
): Promise<T> {
  for await (const event of events) if (wanted(event)) return event;
  return assert.fail("the monitor ended before the event came");
}

export const networkSuites: ConformanceSuites = {
  Network: {
    "links() has the loopback first": async (subject) => {
      const [loopback] = await subject.linux.networks.here.links();
      assert.equal(loopback?.name, "lo");
      assert.equal(loopback.index, 1);
      assert.equal(loopback.type, 772);
      assert.equal(loopback.flags & linkFlags.loopback, linkFlags.loopback);
    },
    "createLink() makes both ends of a veth and deleteLink() removes both": async (subject) => {
      const { here } = subject.linux.networks;
      await using pair = await makeVeth(here);
      assert.equal(pair.left.kind, "veth");
      assert.equal(pair.left.linkIndex, pair.right.index);
      assert.match(pair.left.hardwareAddress, /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/);
      await here.deleteLink(pair.left.index);
      assert.equal(await here.link(pair.right.name), undefined);
    },
    "createLink() refuses a name that is taken, in words": async (subject) => {
      const { here } = subject.linux.networks;
      await assert.rejects(here.createLink({ name: "lo", info: { kind: "bridge" } }), {
        code: "netlink/eexist",
        kind: "already-exists",
      });
    },
    "changeLink() sets name, mtu, address, alias and master": async (subject) => {
      const { here } = subject.linux.networks;
      await using pair = await makeVeth(here);
      const bridge = await here.createLink({
        name: freshName(),
        info: { kind: "bridge", stp: true },
      });
      assert.ok(bridge);
      assert.ok(bridge.info?.kind === "bridge" && bridge.info.stp === true);
      const { index } = pair.left;
      await here.changeLink(index, { up: false });
      const name = freshName();
      await here.changeLink(index, { name, mtu: 1400, hardwareAddress: "02:00:00:00:00:07", alias: "seven" });
      await here.changeLink(index, { up: true, masterIndex: bridge.index });
      const changed = await here.link(name);
      assert.equal(changed?.index, index);
      assert.equal(changed.mtu, 1400);
      assert.equal(changed.hardwareAddress, "02:00:00:00:00:07");
      assert.equal(changed.alias, "seven");
      assert.equal(changed.masterIndex, bridge.index);
      assert.equal(changed.slaveKind, "bridge");
      assert.ok((changed.flags & linkFlags.up) !== 0);
      await here.changeLink(index, { masterIndex: 0 });
      assert.equal((await here.link(index))?.masterIndex, 0);
      await here.changeLink(bridge.index, { info: { kind: "bridge", stp: false } });
      const after = (await here.link(bridge.index))?.info;
      assert.ok(after?.kind === "bridge" && after.stp === false);
      await here.deleteLink(bridge.index);
    },
    "changeLink() refuses a link that is not there": async (subject) => {
      await assert.rejects(subject.linux.networks.here.changeLink(99_999, { up: true }), { code: "netlink/enodev" });
    },
    "addresses come, are refused twice, are replaced and go": async (subject) => {
      const { here } = subject.linux.networks;
      await using pair = await makeVeth(here);
      const linkIndex = pair.left.index;
      const mine = async (): Promise<readonly string[]> =>
        (await here.addresses())
          .filter((address) => address.linkIndex === linkIndex && !address.address.startsWith("fe80:"))
          .map((address) => address.address);
      await here.addAddress({ address: "10.77.0.1/24", linkIndex });
      await here.addAddress({ address: "fd77::1/64", linkIndex });
      assert.deepEqual(await mine(), ["10.77.0.1/24", "fd77::1/64"]);
      await assert.rejects(here.addAddress({ address: "10.77.0.1/24", linkIndex }), { code: "netlink/eexist" });
      await here.addAddress({ address: "10.77.0.1/24", linkIndex, validSeconds: 600 }, { replace: true });
      const replaced = (await here.addresses()).find((address) => address.address === "10.77.0.1/24");
      assert.ok((replaced?.validSeconds ?? 0) <= 600);
      await here.deleteAddress({ address: "10.77.0.1/24", linkIndex });
      await here.deleteAddress({ address: "fd77::1/64", linkIndex });
      assert.deepEqual(await mine(), []);
      await assert.rejects(here.deleteAddress({ address: "10.77.0.1/24", linkIndex }), {
        code: "netlink/eaddrnotavail",
      });
    },
    "announceAddress() tells the neighbours of a link, and refuses one that is not there": async (subject) => {
      const { here } = subject.linux.networks;
      await using pair = await makeVeth(here);
      await here.changeLink(pair.left.index, { up: true });
      await here.changeLink(pair.right.index, { up: true });
      await here.announceAddress(pair.left.index, "10.77.0.50");
      await assert.rejects(here.announceAddress(99_999, "10.77.0.50"), { code: "netlink/enodev" });
    },
    "routes need a reachable gateway, come with their metrics and go": async (subject) => {
      const { here } = subject.linux.networks;
      await using pair = await makeVeth(here);
      const linkIndex = pair.left.index;
      await here.addAddress({ address: "10.78.0.1/24", linkIndex });
      await assert.rejects(here.addRoute({ destination: "10.79.0.0/16", gateway: "10.66.0.9" }), {
        code: "netlink/enetunreach",
      });
      const route = { destination: "10.79.3.4/16", gateway: "10.78.0.254", priority: 77, mtu: 1300, protocol: 4 };
      await here.addRoute(route);
      const found = (await here.routes()).find((each) => each.destination === "10.79.0.0/16");
      assert.equal(found?.gateway, "10.78.0.254");
      assert.equal(found.linkIndex, linkIndex);
      assert.equal(found.priority, 77);
      assert.equal(found.mtu, 1300);
      assert.equal(found.protocol, 4);
      assert.equal(found.table, 254);
      await assert.rejects(here.addRoute(route), { code: "netlink/eexist" });
      await here.addRoute({ ...route, mtu: 1200 }, { replace: true });
      await here.deleteRoute({ destination: route.destination, gateway: route.gateway, priority: 77 });
      assert.ok(!(await here.routes()).some((each) => each.destination === "10.79.0.0/16"));
      await assert.rejects(here.deleteRoute({ destination: route.destination, gateway: route.gateway }), {
        code: "netlink/esrch",
      });
    },
    "rules come in order of priority and go": async (subject) => {
      const { here } = subject.linux.networks;
      const rule = { family: "inet4", source: "10.80.0.0/16", table: 1080, priority: 1080, firewallMark: 5 } as const;
      await here.addRule(rule);
      const found = (await here.rules()).find((each) => each.priority === 1080);
      assert.equal(found?.source, "10.80.0.0/16");
      assert.equal(found.table, 1080);
      assert.equal(found.firewallMark, 5);
      await assert.rejects(here.addRule(rule), { code: "netlink/eexist" });
      await here.deleteRule(rule);
      assert.ok(!(await here.rules()).some((each) => each.priority === 1080));
      await assert.rejects(here.deleteRule(rule), { code: "netlink/enoent" });
    },
    "monitor() tells links and addresses, and ends with its signal": async (subject) => {
      const { here } = subject.linux.networks;
      const abort = new AbortController();
      const monitor = await here.monitor({ groups: ["links", "addresses"], signal: abort.signal });
      const events: NetworkEvent[] = [];
      const reading = (async () => {
        for await (const event of monitor) {
          events.push(event);
          if (event.kind === "address" && event.address.address === "10.81.0.1/24") abort.abort();
        }
      })();
      await using pair = await makeVeth(here);
      await here.addAddress({ address: "10.81.0.1/24", linkIndex: pair.left.index });
      await reading;
      assert.ok(events.some((event) => event.kind === "link" && event.link.name === pair.left.name));
    },
    "monitor() tells deletions, and leaving the loop ends it": async (subject) => {
      const { here } = subject.linux.networks;
      await using pair = await makeVeth(here);
      const monitor = await here.monitor({ groups: ["links"] });
      await here.deleteLink(pair.left.index);
      const deleted = await first(
        monitor,
        (event): event is NetworkEvent & { kind: "link" } => event.kind === "link" && event.action === "deleted",
      );
      assert.ok([pair.left.name, pair.right.name].includes(deleted.link.name));
    },
    "openPackets() sends and receives over links without addresses": async (subject) => {
      const { here } = subject.linux.networks;
      await using pair = await makeVeth(here);
      using left = await here.openPackets(pair.left.index);
      using right = await here.openPackets(pair.right.index);
      // An IPv4 packet without a payload, for nobody; the kernel itself sends others, such as those of multicast.
      const packet = Buffer.from("45000014000100004011000000000000ffffffff", "hex");
      const send = () => left.send(packet, "ff:ff:ff:ff:ff:ff");
      send();
      // A link drops what it is given before the kernel has noticed its carrier, so the sender repeats, as DHCP does.
      const repeat = setInterval(send, 20);
      try {
        for await (const received of right.packets) if (received.equals(packet)) break;
      } finally {
        clearInterval(repeat);
      }
      await assert.rejects(here.openPackets(99_999), { code: /\/enodev$/ });
    },
    "openCapture() shows the frames of a link, cut to the length asked for, and ends when disposed": async (
      subject,
    ) => {
      const { here } = subject.linux.networks;
      await using pair = await makeVeth(here);
      using sender = await here.openPackets(pair.left.index);
      using capture = await here.openCapture({ linkIndex: pair.right.index, snapLength: 24, promiscuous: true });
      const packet = Buffer.from("45000014000100004011000000000000ffffffff", "hex");
      const send = () => sender.send(packet, "ff:ff:ff:ff:ff:ff");
      send();
      const repeat = setInterval(send, 20);
      try {
        found: for await (const batch of capture.batches) {
          for (const { bytes, originalLength, nanoseconds } of batch) {
            if (originalLength !== 34 || !bytes.subarray(14).equals(packet.subarray(0, 10))) continue;
            assert.equal(bytes.length, 24);
            assert.ok(nanoseconds > 0n);
            break found;
          }
        }
      } finally {
        clearInterval(repeat);
      }
      assert.ok(capture.statistics().frames > 0);
      capture[Symbol.dispose]();
      for await (const _batch of capture.batches) assert.fail("nothing comes after the end");
      await assert.rejects(here.openCapture({ linkIndex: 99_999, snapLength: 64 }), { code: /\/enodev$/ });
    },
    "ethernet reads and changes features of a link, and refuses a link that is not there": async (subject) => {
      const { here } = subject.linux.networks;
      await using pair = await makeVeth(here);
      const { index } = pair.left;
      const feature = async (name: string) =>
        (await here.ethernet.settings(index)).features.find((each) => each.name === name);
      assert.equal((await feature("tx-tcp-segmentation"))?.active, true);
      assert.equal((await feature("rx-vlan-filter"))?.fixed, true);
      await here.ethernet.change(index, { features: { "tx-tcp-segmentation": false } });
      const off = { name: "tx-tcp-segmentation", active: false, requested: false, fixed: false };
      assert.deepEqual(await feature("tx-tcp-segmentation"), off);
      await here.ethernet.change(index, { features: { "tx-tcp-segmentation": true } });
      assert.equal((await feature("tx-tcp-segmentation"))?.active, true);
      await assert.rejects(here.ethernet.settings(99_999), { code: "netlink/enodev" });
    },
    "open() reaches another namespace, and a veth can span both": async (subject) => {
      const { networks, namespaces } = subject.linux;
      const path = `${await subject.makeFolder()}/net`;
      await namespaces.createNetwork(path);
      {
        using inside = await networks.open(path);
        const [name, peer] = [freshName(), freshName()];
        const outer = await networks.here.createLink({
          name,
          info: { kind: "veth", peer: { name: peer, networkNamespace: { path } } },
        });
        const inner = await inside.link(peer);
        assert.ok(outer !== undefined && inner !== undefined);
        await inside.changeLink(inner.index, { name: "eth0", up: true });
        await inside.addAddress({ address: "10.82.0.2/24", linkIndex: inner.index });
        assert.ok((await inside.addresses()).some((address) => address.address === "10.82.0.2/24"));
        assert.ok(!(await networks.here.addresses()).some((address) => address.address === "10.82.0.2/24"));
        assert.equal((await inside.link(1))?.flags, (await inside.link("lo"))?.flags);
        assert.ok(((await inside.link("lo"))?.flags ?? 0) & linkFlags.up);
        await networks.here.deleteLink(outer.index);
        assert.equal(await inside.link("eth0"), undefined);
      }
      await namespaces.removeNetwork(path);
      await assert.rejects(networks.open(path), { kind: "not-found" });
    },
  },
};
