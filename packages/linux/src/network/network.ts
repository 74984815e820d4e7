import type { Address, AddressSpec } from "./address.ts";
import type { Ethernet } from "./ethernet.ts";
import type { Link, LinkChange, LinkCreate } from "./link.ts";
import type { PacketCapture, PacketCaptureOptions } from "./packet-capture.ts";
import type { PacketSocket } from "./packet-socket.ts";
import type { Route, RouteSpec } from "./route.ts";
import type { Rule, RuleSpec } from "./rule.ts";
import type { Wireguard } from "./wireguard.ts";

/** A group of kernel notifications that a monitor can subscribe to (rtnetlink(7) multicast groups). */
export type NetworkGroup = "links" | "addresses" | "routes" | "rules";

/** A change in the network. After `overrun` some changes were lost: list everything again. */
export type NetworkEvent =
  | { readonly kind: "link"; readonly action: "new" | "deleted"; readonly link: Link }
  | { readonly kind: "address"; readonly action: "new" | "deleted"; readonly address: Address }
  | { readonly kind: "route"; readonly action: "new" | "deleted"; readonly route: Route }
  | { readonly kind: "rule"; readonly action: "new" | "deleted"; readonly rule: Rule }
  | { readonly kind: "overrun" };

/** Settings of a network monitor. */
export interface MonitorOptions {
  /** @default all of them */
  readonly groups?: readonly NetworkGroup[];
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal;
}

/** Changes as they happen; the subscription stands once {@link Network.monitor} has resolved. */
export interface NetworkMonitor extends AsyncIterable<NetworkEvent>, Disposable {}

/** Flags of a netlink write request. */
export interface WriteOptions {
  /** Overwrite what is there instead of failing with EEXIST. @default {false} */
  readonly replace?: boolean;
}

/** One network namespace through rtnetlink. Errors have codes `netlink/<errno>`. Dispose closes its socket. */
export interface Network extends Disposable {
  links(): Promise<readonly Link[]>;
  /** By name or index; `undefined` if there is none. */
  link(which: string | number): Promise<Link | undefined>;
  /** Creates a link and gives it back as the kernel sees it; `undefined` if it was created in another namespace. */
  createLink(link: LinkCreate): Promise<Link | undefined>;
  changeLink(index: number, change: LinkChange): Promise<void>;
  deleteLink(index: number): Promise<void>;

  addresses(): Promise<readonly Address[]>;
  addAddress(address: AddressSpec, options?: WriteOptions): Promise<void>;
  deleteAddress(address: AddressSpec): Promise<void>;
  /**
   * Tells the neighbours on a link that an IPv4 address is here now (gratuitous ARP). A link without a hardware address has none
   * to tell.
   */
  announceAddress(linkIndex: number, address: string): Promise<void>;

  routes(): Promise<readonly Route[]>;
  addRoute(route: RouteSpec, options?: WriteOptions): Promise<void>;
  deleteRoute(route: RouteSpec): Promise<void>;

  rules(): Promise<readonly Rule[]>;
  addRule(rule: RuleSpec): Promise<void>;
  deleteRule(rule: RuleSpec): Promise<void>;

  monitor(options?: MonitorOptions): Promise<NetworkMonitor>;
  /** Settings of network cards. */
  readonly ethernet: Ethernet;
  /** Settings of WireGuard links. */
  readonly wireguard: Wireguard;
  /** Opens a socket for the IPv4 packets of a link, also of one without an address. The caller disposes it. */
  openPackets(linkIndex: number): Promise<PacketSocket>;
  /** Captures the frames of a link. The caller disposes it. */
  openCapture(options: PacketCaptureOptions): Promise<PacketCapture>;
}

/** The network namespaces that a process can reach. */
export interface Networks {
  /** The namespace this process lives in. */
  readonly here: Network;
  /** Another namespace, by its file (`/proc/<pid>/ns/net`, `/run/netns/x`). The caller disposes it. */
  open(networkNamespace: string): Promise<Network>;
}
