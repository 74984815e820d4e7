import { createPrivateKey, createPublicKey } from "node:crypto";
import { kernelError } from "../ffi/errno.ts";
import type { Wireguard, WireguardSettings } from "../network/wireguard.ts";
import type { MemoryNamespace } from "./memory-namespace.ts";

const fresh: WireguardSettings = { privateKey: "", listenPort: 0, firewallMark: 0, peers: [] };
/** A private key of X25519 in the form of PKCS #8, up to the key itself. */
const privateKeyPrefix = Buffer.from("302e020100300506032b656e04220420", "hex");

export function createMemoryWireguard(home: MemoryNamespace): Wireguard {
  const all = new Map<number, WireguardSettings>();
  const check = (linkIndex: number, action: string): void => {
    const kind = home.links.get(linkIndex)?.kind;
    if (kind === "wireguard") return;
    throw kernelError({ area: "netlink", action, errno: kind === undefined ? "ENODEV" : "EOPNOTSUPP" });
  };
  return {
    async device(linkIndex) {
      check(linkIndex, `read the WireGuard settings of link ${String(linkIndex)}`);
      const settings = all.get(linkIndex) ?? fresh;
      return { ...settings, publicKey: settings.privateKey === "" ? "" : publicKeyOf(settings.privateKey) };
    },
    async configure(linkIndex, settings) {
      check(linkIndex, `change the WireGuard settings of link ${String(linkIndex)}`);
      all.set(linkIndex, structuredClone(settings));
    },
  };
}

function publicKeyOf(privateKey: string): string {
  const der = Buffer.concat([privateKeyPrefix, Buffer.from(privateKey, "base64")]);
  const spki = createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" })).export({
    format: "der",
    type: "spki",
  });
  return spki.subarray(-32).toString("base64");
}
