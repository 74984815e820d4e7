import { field, int64, list, message, omitEmpty, text, type ValueOf } from "../dsl/index.ts";
import { duration, ipPrefix } from "../values/index.ts";

const wireguardPeer = message({
  publicKey: field(1, text),
  presharedKey: field(2, text),
  endpoint: field(3, text),
  persistentKeepaliveIntervalMs: field(4, duration, "persistentKeepaliveInterval"),
  allowedIPs: field(5, list(ipPrefix)),
});

/** Settings of a WireGuard link. */
export const wireguard = message({
  privateKey: omitEmpty(1, text),
  publicKey: omitEmpty(2, text),
  listenPort: field(3, int64),
  firewallMark: field(4, int64),
  peers: field(5, list(wireguardPeer)),
});

export type Wireguard = ValueOf<typeof wireguard>;
