import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseMount } from "./node-mount.ts";

describe("parseMount()", () => {
  it("reads what docker's --mount reads", () => {
    const bind = { type: "bind", source: "/a", target: "/var/b", readonly: false };
    assert.deepEqual(parseMount("type=bind,source=/a,target=/var/b"), bind);
    assert.deepEqual(parseMount("src=/a,dst=/var/b,ro"), { ...bind, readonly: true });
    assert.deepEqual(parseMount("src=/a,destination=/var/b,readonly=false"), bind);
    assert.deepEqual(parseMount("src=/a,dst=/usr/local"), { ...bind, target: "/usr/local" });
    assert.deepEqual(parseMount("type=tmpfs,target=/var/b"), {
      type: "tmpfs",
      source: "",
      target: "/var/b",
      readonly: false,
    });
  });
  for (const text of [
    "",
    "type=volume,source=a,target=/var/b",
    "source=a,target=/var/b",
    "source=/a",
    "source=/a,target=/etc/x",
    "source=/a,target=/var/b,x=y",
  ]) {
    it(`refuses "${text}"`, () => assert.throws(() => parseMount(text), { code: "provision/bad-mount" }));
  }
});
