import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeAttributes, parseAttributes } from "../netlink/attributes.ts";
import { decodeLinkInfo, encodeLinkInfo } from "./link-info-codec.ts";

test("encodeLinkInfo() and decodeLinkInfo() keep the addresses that a bond asks", () => {
  const info = {
    kind: "bond",
    mode: 1,
    arpInterval: 100,
    arpIpTargets: ["192.0.2.1", "192.0.2.2"],
    nsIp6Targets: ["2001:db8::1"],
  } as const;
  const bytes = encodeAttributes(encodeLinkInfo(info, () => assert.fail("no namespace is named")));
  assert.deepEqual(decodeLinkInfo("bond", parseAttributes(bytes)), info);
});
