import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCode } from "@talos-ts/base";
import { proxyFromEnvironment } from "./proxy-environment.ts";

const proxy = "http://proxy.example:3128";

function goesDirect(exceptions: string, host: string, port = 50_000): boolean {
  return proxyFromEnvironment({ HTTPS_PROXY: proxy, NO_PROXY: exceptions })(host, port) === undefined;
}

describe("proxyFromEnvironment()", () => {
  it("takes HTTPS_PROXY, and its lower-case spelling before it", () => {
    assert.equal(proxyFromEnvironment({})("10.5.0.2", 50_000), undefined);
    assert.equal(proxyFromEnvironment({ HTTPS_PROXY: "" })("10.5.0.2", 50_000), undefined);
    assert.equal(proxyFromEnvironment({ HTTPS_PROXY: proxy })("10.5.0.2", 50_000)?.host, "proxy.example:3128");
    const both = proxyFromEnvironment({ HTTPS_PROXY: proxy, https_proxy: "other.example:80" });
    assert.equal(both("10.5.0.2", 50_000)?.hostname, "other.example");
  });

  it("never sends the loopback through a proxy", () => {
    for (const host of ["127.0.0.1", "127.9.9.9", "::1", "localhost", "a.localhost"])
      assert.ok(goesDirect("", host), host);
  });

  it("excepts names, names below them, addresses and networks", () => {
    for (const [entry, host] of [
      ["*", "10.5.0.2"],
      ["example.org", "example.org"],
      ["example.org", "a.example.org"],
      ["Example.org", "A.EXAMPLE.ORG."],
      [".example.org", "a.example.org"],
      ["*.example.org", "a.example.org"],
      ["other, 10.5.0.2 ,more", "10.5.0.2"],
      ["10.5.0.0/24", "10.5.0.77"],
      ["fd00::/8", "fd00::1"],
      ["fd00::1", "fd00::1"],
      ["[fd00::1]:50000", "fd00::1"],
      ["10.5.0.2:50000", "10.5.0.2"],
    ] as const) {
      assert.ok(goesDirect(entry, host), `${entry} ${host}`);
    }
    for (const [entry, host] of [
      ["example.org", "notexample.org"],
      [".example.org", "example.org"],
      ["10.5.0.0/24", "10.6.0.2"],
      ["10.5.0.0/24", "fd00::1"],
      ["10.5.0.2", "10.5.0.20"],
      ["10.5.0.2:443", "10.5.0.2"],
      ["0.0.0.0/99", "10.5.0.2"],
    ] as const) {
      assert.ok(!goesDirect(entry, host), `${entry} ${host}`);
    }
  });

  it("refuses what is no proxy, and does not repeat its password", () => {
    assert.throws(
      () => proxyFromEnvironment({ HTTPS_PROXY: "socks5://user:hunter2@proxy.example:1080" }),
      (err) => isCode(err, "client/bad-proxy") && !err.message.includes("hunter2"),
    );
  });
});
