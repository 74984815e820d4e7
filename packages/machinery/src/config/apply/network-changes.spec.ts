import assert from "node:assert/strict";
import { test } from "node:test";
import { loadConfig } from "../load/load.ts";
import { networkChanges } from "./network-changes.ts";

const main = (rest: string): string => `version: v1alpha1\nmachine:\n  type: worker\n${rest}`;
const link = (mtu: number): string => `---\napiVersion: v1alpha1\nkind: LinkConfig\nname: eth0\nmtu: ${String(mtu)}\n`;

test("networkChanges() lists links, addresses and the firewall, and nothing else", () => {
  const before = loadConfig(`${main("  network: {hostname: a}\n")}${link(1400)}`);
  const firewall = "---\napiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: block\n";
  const after = loadConfig(
    `${main("  network: {hostname: b, interfaces: [{interface: eth1}]}\n  sysctls: {a: b}\n")}${link(1500)}${firewall}`,
  );
  assert.deepEqual(networkChanges(before, after), [
    "machine.network.interfaces",
    "LinkConfig eth0",
    "NetworkDefaultActionConfig",
  ]);
  assert.deepEqual(networkChanges(before, loadConfig(`${main("  sysctls: {a: b}\n")}${link(1400)}`)), []);
});
