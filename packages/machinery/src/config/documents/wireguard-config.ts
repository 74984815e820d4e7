import { addressPort, durationFormat, prefix } from "../schema/formats.ts";
import { document } from "../schema/document.ts";
import { integer, string } from "../schema/scalars.ts";
import { property, array, object } from "../schema/type.ts";
import { commonLink, otherLinkKinds, validateCommonLink } from "./shared/link.ts";
import { requireName } from "./shared/rules.ts";
import { base64Problem } from "../validate/base64.ts";

const peer = object("network.WireguardPeer", "The other end of a tunnel.", {
  publicKey: property(string(), "Public key of the peer, 32 bytes in base64.", { required: true }),
  presharedKey: property(string(), "Extra key shared with the peer, 32 bytes in base64.", { secret: true }),
  endpoint: property(addressPort, "Address and port of the peer; absent when the peer connects.", {
    example: "10.3.4.3:3333",
  }),
  persistentKeepaliveInterval: property(durationFormat, "How often an idle connection is kept open."),
  allowedIPs: property(array(prefix), "Networks reached through the peer.", { example: ["192.168.1.0/24"] }),
});

function keyProblem(key: string): string | undefined {
  const problem = base64Problem(key);
  if (problem !== undefined) return problem;
  return Buffer.from(key, "base64").length === 32 ? undefined : "invalid wireguard key length";
}

export const wireguardConfig = document({
  kind: "WireguardConfig",
  schemaName: "network.WireguardConfigV1Alpha1",
  doc: "A WireGuard link.",
  name: "Name of the link.",
  conflictsWith: otherLinkKinds("WireguardConfig"),
  fields: {
    privateKey: property(string(), "Private key, 32 bytes in base64.", { required: true, secret: true }),
    listenPort: property(integer(), "Port the link listens on; zero lets the kernel choose."),
    firewallMark: property(integer(), "Mark on packets of the link."),
    peers: property(array(peer), "Peers of the link."),
    ...commonLink,
  },
  validate: (link, check) => {
    requireName(link, check);
    const problem = link.privateKey === undefined ? undefined : keyProblem(link.privateKey);
    if (link.privateKey === undefined) check.error(["privateKey"], "wireguard private key must be specified");
    else if (problem !== undefined) check.error(["privateKey"], `wireguard private key is invalid: ${problem}`);
    const port = link.listenPort ?? 0;
    if (port < 0 || port > 65_535) check.error(["listenPort"], "wireguard listen port must be between 0 and 65535");
    for (const [index, { publicKey, presharedKey, persistentKeepaliveInterval = "" }] of (link.peers ?? []).entries()) {
      const path = ["peers", index];
      const which = `(peer index ${index})`;
      const publicProblem = publicKey === undefined ? undefined : keyProblem(publicKey);
      const sharedProblem = presharedKey === undefined ? undefined : keyProblem(presharedKey);
      if (publicKey === undefined) check.error(path, `wireguard peer public key must be specified ${which}`);
      if (publicProblem !== undefined)
        check.error(path, `wireguard peer public key is invalid ${which}: ${publicProblem}`);
      if (sharedProblem !== undefined)
        check.error(path, `wireguard peer preshared key is invalid ${which}: ${sharedProblem}`);
      if (persistentKeepaliveInterval.startsWith("-")) {
        check.error(path, `wireguard peer persistent keepalive interval cannot be negative ${which}`);
      }
    }
    validateCommonLink(link, check);
  },
});
