import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ConnectRecord_State, NetstatRequest_Filter } from "@talos-ts/proto/machine/network";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { parseSockets } from "../../support/sockets/parse-sockets.ts";
import { createTestNode } from "../../testing.ts";

const heading = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
const listening =
  "   0: 0100007F:C350 00000000:0000 0A 00000000:00000000 00:00000000 00000000    50        0 123 1 0000000000000000 100 0\n";
const connected =
  "   1: 0200050A:C350 0300050A:9C40 01 00000002:00000003 02:000003E8 00000000     0        0 456 2 00000000deadbeef 20 4\n";
const mapped =
  "   0: 0000000000000000FFFF00000100007F:0016 00000000000000000000000001000000:0017 01 00000000:00000000 00:00000000 00000000 0 0 9 1 0\n";

describe("parseSockets()", () => {
  it("reads addresses in the kernel's order of bytes", () => {
    const [first, second] = parseSockets(heading + listening + connected);
    assert.deepEqual(
      [first?.localIp, first?.localPort, first?.remoteIp, first?.state, first?.uid, first?.inode],
      ["127.0.0.1", 50_000, "0.0.0.0", 10, 50, 123n],
    );
    assert.deepEqual(
      [second?.remoteIp, second?.remotePort, second?.sendQueue, second?.receiveQueue, second?.pointer],
      ["10.5.0.3", 40_000, 2n, 3n, 0xdeadbeefn],
    );
    assert.deepEqual(
      parseSockets(mapped).map(({ localIp, remoteIp }) => [localIp, remoteIp]),
      [["127.0.0.1", "::1"]],
    );
  });
  it("never throws, whatever the bytes are", () => {
    for (let seed = 1; seed <= 2000; seed++) {
      const at = (seed * 7919) % connected.length;
      const junk = String.fromCodePoint((seed * 104_729) % 0x250);
      parseSockets(connected.slice(0, at) + junk + connected.slice(at + (seed % 3)));
    }
  });
});

describe("netstat()", () => {
  it("lists sockets of the protocols asked for, with their processes", async () => {
    await using node = await createTestNode();
    node.linux.textFiles.tree.set("/proc/net/tcp", heading + listening + connected);
    node.linux.textFiles.tree.set("/proc/net/udp", heading + listening);
    const pid = node.linux.processes.start({ executable: "/bin/apid" });
    node.linux.textFiles.tree.set(`/proc/${String(pid)}/fd/3`, { linkTo: "socket:[123]" });
    const ask = async (filter: NetstatRequest_Filter) => {
      const request = { filter, feature: { pid: true }, l4proto: { tcp: true }, netns: { hostnetwork: true } };
      return (await node.client(MachineService).netstat(request)).messages[0]?.connectrecord ?? [];
    };
    const all = await ask(NetstatRequest_Filter.ALL);
    assert.deepEqual(
      all.map(({ l4proto, localip, state, process }) => [l4proto, localip, state, process?.name]),
      [
        ["tcp", "127.0.0.1", ConnectRecord_State.LISTEN, "apid"],
        ["tcp", "10.5.0.2", ConnectRecord_State.ESTABLISHED, ""],
      ],
    );
    assert.equal((await ask(NetstatRequest_Filter.LISTENING)).length, 1);
    assert.equal((await ask(NetstatRequest_Filter.CONNECTED))[0]?.remoteip, "10.5.0.3");
  });
  it("looks into the namespaces that processes are in", async () => {
    await using node = await createTestNode();
    const { tree } = node.linux.textFiles;
    tree.set("/proc/self/ns/net", { linkTo: "net:[1]" });
    const pid = node.linux.processes.start({ executable: "/bin/pod" });
    tree.set(`/proc/${String(pid)}/ns/net`, { linkTo: "net:[2]" });
    tree.set(`/proc/${String(pid)}/net/tcp`, heading + connected);
    const request = { l4proto: { tcp: true, udp: true }, netns: { allnetns: true } };
    const found = (await node.client(MachineService).netstat(request)).messages[0]?.connectrecord;
    assert.deepEqual(
      found?.map(({ netns, localip }) => [netns, localip]),
      [["net:[2]", "10.5.0.2"]],
    );
  });
});
