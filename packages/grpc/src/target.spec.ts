import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseTarget } from "./target.ts";

describe("parseTarget", () => {
  it("reads unix paths, names and addresses", () => {
    assert.deepEqual(parseTarget("unix:///run/x.sock"), {
      transport: "unix",
      path: "/run/x.sock",
      authority: "localhost",
    });
    assert.deepEqual(parseTarget("unix:x.sock"), { transport: "unix", path: "x.sock", authority: "localhost" });
    assert.deepEqual(parseTarget("10.0.0.1:50000"), {
      transport: "tcp",
      host: "10.0.0.1",
      port: 50_000,
      authority: "10.0.0.1:50000",
    });
    assert.deepEqual(parseTarget("dns:///a.b:1"), { transport: "tcp", host: "a.b", port: 1, authority: "a.b:1" });
    assert.deepEqual(parseTarget("[fe80::1]:1"), {
      transport: "tcp",
      host: "fe80::1",
      port: 1,
      authority: "[fe80::1]:1",
    });
  });

  it("refuses anything else, naming it", () => {
    for (const text of ["", "host", "host:", "host:99999", "::1:50000", "[x]:1", "unix:", "http://a:1"]) {
      assert.throws(() => parseTarget(text), { code: "grpc/bad-target" }, text);
    }
  });
});
