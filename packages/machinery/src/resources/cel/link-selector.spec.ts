import assert from "node:assert/strict";
import { test } from "node:test";
import { LinkStatus } from "../network/link-status.ts";
import { linkSelector } from "./link-selector.ts";

const card = LinkStatus.spec({
  index: 2,
  type: "ether",
  driver: "virtio_net",
  busPath: "0000:01:00.0",
  mtu: 1500,
  permanentAddr: "00:1a:2b:3c:4d:5e",
});
const glob = (pattern: string, text: string): boolean => text.startsWith(pattern.replace("*", ""));

test("linkSelector() reads the fields of a link, mac() and glob()", () => {
  const cases = [
    ['mac(link.permanent_addr) == "00:1a:2b:3c:4d:5e"', true],
    ['link.driver == "e1000"', false],
    ['glob("0000:01:*", link.bus_path) && link.mtu == 1500u', true],
    ["link.index > 5u", false],
  ] as const;
  for (const [text, expected] of cases) assert.equal(linkSelector(text, { glob })(card), expected, text);
});

test("linkSelector() says which expression fails", () => {
  assert.throws(() => linkSelector("link.driver ==", { glob }), { code: "resource/expression-failed" });
  assert.throws(() => linkSelector("link.nothing == 1", { glob })(card), { code: "resource/expression-failed" });
});
