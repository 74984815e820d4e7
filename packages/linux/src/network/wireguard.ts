/** A peer of a WireGuard link. Keys are 32 bytes in base64. */
export interface WireguardPeer {
  readonly publicKey: string;
  /** Empty when there is none. */
  readonly presharedKey: string;
  /** `address:port` or `[address]:port`; empty while it is not known. */
  readonly endpoint: string;
  /** Zero keeps nothing alive. */
  readonly keepaliveSeconds: number;
  /** Networks behind the peer, as `10.0.0.0/24`. */
  readonly allowedIps: readonly string[];
}

/** Settings of a WireGuard link. */
export interface WireguardSettings {
  /** Empty when there is none. */
  readonly privateKey: string;
  /** Zero lets the kernel choose. */
  readonly listenPort: number;
  /** Zero sets no mark. */
  readonly firewallMark: number;
  readonly peers: readonly WireguardPeer[];
}

/** A WireGuard link as the kernel has it. */
export interface WireguardDevice extends WireguardSettings {
  /** Follows from the private key; empty without one. */
  readonly publicKey: string;
}

/** WireGuard links through generic netlink. Errors have codes `netlink/<errno>`, or `netlink/no-family` where the kernel has none. */
export interface Wireguard {
  device(linkIndex: number): Promise<WireguardDevice>;
  /** Replaces the settings; peers that are not named are removed. */
  configure(linkIndex: number, settings: WireguardSettings): Promise<void>;
}
