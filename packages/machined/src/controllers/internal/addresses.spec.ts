import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareAddresses, filterAddresses, isSiderolinkAddress, nthAddress, subnetContains } from "./addresses.ts";

describe("addresses", () => {
  it("compareAddresses() puts IPv4 first and then counts", () => {
    const sorted = ["::1", "10.0.0.10", "10.0.0.9", "fd00::1", "9.255.0.0"].toSorted(compareAddresses);
    assert.deepEqual(sorted, ["9.255.0.0", "10.0.0.9", "10.0.0.10", "::1", "fd00::1"]);
  });
  it("subnetContains() never mixes families", () => {
    assert.ok(subnetContains("10.96.0.0/12", "10.111.1.1"));
    assert.ok(!subnetContains("10.96.0.0/12", "10.112.0.0"));
    assert.ok(!subnetContains("::/0", "10.0.0.1"));
    assert.ok(subnetContains("fd00::/8", "fdff::1/64"));
  });
  it("nthAddress() counts from the start of the subnet, over bytes", () => {
    assert.equal(nthAddress("10.96.0.0/12", 1), "10.96.0.1");
    assert.equal(nthAddress("10.97.3.4/12", 10), "10.96.0.10");
    assert.equal(nthAddress("10.0.0.255/25", 130), "10.0.1.2");
    assert.equal(nthAddress("fc00:db8:20::/112", 1), "fc00:db8:20::1");
  });
  it("filterAddresses() keeps the order of the subnets and drops what is excluded", () => {
    const all = ["10.5.0.2", "192.168.1.1", "fd00::2"];
    assert.deepEqual(filterAddresses(all, []), all);
    assert.deepEqual(filterAddresses(all, ["!10.0.0.0/8"]), ["192.168.1.1", "fd00::2"]);
    assert.deepEqual(filterAddresses(all, ["::/0", "0.0.0.0/0", "10.0.0.0/8", "!192.168.1.1"]), [
      "fd00::2",
      "10.5.0.2",
    ]);
  });
  it("isSiderolinkAddress() knows IPv6", () => {
    assert.ok(isSiderolinkAddress("fdae:41e4:649b:9303::1"));
    assert.ok(!isSiderolinkAddress("fdae:41e4:649b:9302::1"));
    assert.ok(!isSiderolinkAddress("10.0.0.3"));
  });
});
