import { goDurationMs } from "@talos-ts/base";
import type { WireguardDevice, WireguardSettings } from "@talos-ts/linux";
import type { LinkSpecSpec, LinkStatusSpec } from "@talos-ts/machinery/resources/network";

type WireguardSpec = LinkSpecSpec["wireguard"];

/** What a `WireguardConfig` and an interface of the main document have in common; only the former has preshared keys. */
interface Configured {
  readonly privateKey?: string | undefined;
  readonly listenPort?: number | undefined;
  readonly firewallMark?: number | undefined;
  readonly peers?:
    | readonly {
        readonly publicKey?: string | undefined;
        readonly presharedKey?: string | undefined;
        readonly endpoint?: string | undefined;
        readonly persistentKeepaliveInterval?: string | undefined;
        readonly allowedIPs?: readonly string[] | undefined;
      }[]
    | undefined;
}

/** The settings of a document, or of an interface of the main document. */
export function configuredWireguard(config: Configured): WireguardSpec {
  const { privateKey = "", listenPort = 0, firewallMark = 0, peers = [] } = config;
  return {
    privateKey,
    publicKey: "",
    listenPort,
    firewallMark,
    peers: peers.map((peer) => ({
      publicKey: peer.publicKey ?? "",
      presharedKey: peer.presharedKey ?? "",
      endpoint: peer.endpoint ?? "",
      persistentKeepaliveIntervalMs: goDurationMs(peer.persistentKeepaliveInterval ?? "0"),
      allowedIPs: peer.allowedIPs ?? [],
    })),
  };
}

/** The settings for the kernel, in a form that can be compared: sorted, and without what it chooses itself. */
export function kernelWireguard(spec: WireguardSpec): WireguardSettings {
  return {
    privateKey: spec.privateKey,
    listenPort: spec.listenPort,
    firewallMark: spec.firewallMark,
    peers: sorted(
      spec.peers.map((peer) => ({
        publicKey: peer.publicKey,
        presharedKey: peer.presharedKey,
        endpoint: peer.endpoint,
        keepaliveSeconds: Math.round(peer.persistentKeepaliveIntervalMs / 1000),
        allowedIps: peer.allowedIPs.toSorted(),
      })),
    ),
  };
}

/**
 * Reports whether the kernel has other settings than wanted. The endpoint of a peer is where it was heard last, and without a
 * listen port the kernel chooses one: neither is a difference.
 */
export function differsFromKernel(wanted: WireguardSettings, device: WireguardDevice): boolean {
  const comparable = ({ privateKey, firewallMark, listenPort, peers }: WireguardSettings): string =>
    JSON.stringify([
      privateKey,
      firewallMark,
      wanted.listenPort === 0 ? 0 : listenPort,
      sorted(peers).map((peer) => [
        peer.publicKey,
        peer.presharedKey,
        peer.keepaliveSeconds,
        peer.allowedIps.toSorted(),
      ]),
    ]);
  return comparable(wanted) !== comparable(device);
}

/** The status of a link; its private and shared keys stay in the kernel. */
export function wireguardStatus(device: WireguardDevice): LinkStatusSpec["wireguard"] {
  return {
    privateKey: "",
    publicKey: device.publicKey,
    listenPort: device.listenPort,
    firewallMark: device.firewallMark,
    peers: device.peers.map((peer) => ({
      publicKey: peer.publicKey,
      presharedKey: "",
      endpoint: peer.endpoint,
      persistentKeepaliveIntervalMs: peer.keepaliveSeconds * 1000,
      allowedIPs: [...peer.allowedIps],
    })),
  };
}

function sorted<T extends { readonly publicKey: string }>(peers: readonly T[]): readonly T[] {
  return peers.toSorted((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
}
