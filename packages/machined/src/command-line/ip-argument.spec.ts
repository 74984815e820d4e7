import assert from "node:assert/strict";
import { test } from "node:test";
import { parseIpArgument } from "./ip-argument.ts";

test("parseIpArgument() reads a static configuration", () => {
  assert.deepEqual(parseIpArgument("10.5.0.2::10.5.0.1:255.255.255.0:node-1:eth0:off:10.5.0.1::10.5.0.9"), {
    address: "10.5.0.2/24",
    gateway: "10.5.0.1",
    hostname: "node-1",
    link: "eth0",
    resolvers: ["10.5.0.1"],
    timeServers: ["10.5.0.9"],
  });
  assert.equal(parseIpArgument("192.0.2.1:::255.255.255.255")?.address, "192.0.2.1/32");
});

test("parseIpArgument() leaves DHCP to its default", () => {
  for (const value of ["dhcp", "on", "any", "", ":::::eth0:dhcp"]) assert.equal(parseIpArgument(value), undefined);
});

test("parseIpArgument() refuses what is no address", () => {
  for (const value of ["10.5.0.2", "10.5.0.2:::255.0.255.0", "10.5.0.2::router:255.255.255.0", "fd00::1"]) {
    assert.throws(() => parseIpArgument(value), { code: "cmdline/ip" }, value);
  }
});
