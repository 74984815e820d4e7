import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kernelParamPath } from "./kernel-param-path.ts";

describe("kernelParamPath()", () => {
  it("takes dots or slashes, and never leaves its folder", () => {
    assert.equal(kernelParamPath("proc.sys.net.ipv4.ip_forward"), "/proc/sys/net/ipv4/ip_forward");
    assert.equal(
      kernelParamPath("proc.sys.net/ipv4/conf/eth0.5/forwarding"),
      "/proc/sys/net/ipv4/conf/eth0.5/forwarding",
    );
    assert.equal(kernelParamPath("sys.kernel.mm.ksm.run"), "/sys/kernel/mm/ksm/run");
    assert.throws(() => kernelParamPath("proc.sys.../../etc/passwd"), { code: "kernel-param/bad-name" });
    assert.throws(() => kernelParamPath("etc.passwd"), { code: "kernel-param/bad-name" });
  });
});
