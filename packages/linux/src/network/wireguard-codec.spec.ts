import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { createRandom } from "@talos-ts/base/testing";
import { mutate } from "../conformance/mutate.ts";
import { encodeAttributes } from "../netlink/attributes.ts";
import { decodeWireguard, encodeWireguard } from "./wireguard-codec.ts";

const key = (fill: number): string => Buffer.alloc(32, fill).toString("base64");
const settings = {
  privateKey: key(1),
  listenPort: 51_820,
  firewallMark: 0x51820,
  peers: [
    {
      publicKey: key(2),
      presharedKey: key(3),
      endpoint: "192.0.2.1:51820",
      keepaliveSeconds: 25,
      allowedIps: ["10.1.0.0/16", "fd00::/64"],
    },
    { publicKey: key(4), presharedKey: "", endpoint: "[2001:db8::1]:1", keepaliveSeconds: 0, allowedIps: [] },
  ],
};

describe("encodeWireguard(), decodeWireguard()", () => {
  const bytes = encodeAttributes(encodeWireguard(7, settings));

  it("keep every setting", () => {
    assert.deepEqual(decodeWireguard([bytes]), { ...settings, publicKey: "" });
  });

  it("begin with the index of the link and the flag that replaces peers, as linux/wireguard.h numbers them", () => {
    assert.equal(bytes.subarray(0, 16).toString("hex"), "08000100070000000800050001000000");
  });

  it("join peers that come in several messages", () => {
    const [first] = settings.peers;
    assert.ok(first);
    const part = (allowedIps: readonly string[]) =>
      encodeAttributes(encodeWireguard(7, { ...settings, peers: [{ ...first, allowedIps }] }));
    const { peers } = decodeWireguard([part(["10.0.0.0/8"]), part(["10.2.0.0/16"])]);
    assert.deepEqual(
      peers.map(({ allowedIps }) => allowedIps),
      [["10.0.0.0/8", "10.2.0.0/16"]],
    );
  });

  it("meet damaged bytes only with typed errors", () => {
    const random = createRandom(11);
    for (let round = 0; round < 5000; round++) {
      try {
        decodeWireguard([mutate(random, bytes)]);
      } catch (err) {
        assert.ok(err instanceof OsError, String(err));
      }
    }
  });
});
