/** Flags of a network link (IFF_*). */
export const linkFlags = {
  up: 0x1,
  broadcast: 0x2,
  loopback: 0x8,
  pointToPoint: 0x10,
  running: 0x40,
  noArp: 0x80,
  promiscuous: 0x100,
  allMulticast: 0x200,
  master: 0x400,
  slave: 0x800,
  multicast: 0x1000,
  lowerUp: 0x10000,
  dormant: 0x20000,
} as const;

/** Settings of a bond; the names are the kernel's, the values its numbers. */
export interface BondSettings {
  readonly mode?: number;
  readonly miimon?: number;
  readonly updelay?: number;
  readonly downdelay?: number;
  readonly useCarrier?: number;
  readonly arpInterval?: number;
  readonly arpValidate?: number;
  readonly arpAllTargets?: number;
  /** Index of the primary link. */
  readonly primary?: number;
  readonly primaryReselect?: number;
  readonly failOverMac?: number;
  readonly xmitHashPolicy?: number;
  readonly resendIgmp?: number;
  readonly numPeerNotif?: number;
  readonly allSlavesActive?: number;
  readonly minLinks?: number;
  readonly lpInterval?: number;
  readonly packetsPerSlave?: number;
  readonly lacpRate?: number;
  readonly adSelect?: number;
  readonly adActorSysPrio?: number;
  readonly adUserPortKey?: number;
  readonly tlbDynamicLb?: number;
  readonly peerNotifyDelay?: number;
  readonly adLacpActive?: number;
  readonly missedMax?: number;
  readonly arpIpTargets?: readonly string[];
  readonly nsIp6Targets?: readonly string[];
}

/** Describes what only links of one kind have. */
export type LinkInfo =
  | { readonly kind: "dummy" }
  | { readonly kind: "wireguard" }
  | { readonly kind: "veth"; readonly peer?: VethPeer }
  | { readonly kind: "bridge"; readonly stp?: boolean; readonly vlanFiltering?: boolean }
  /** `protocol` is an ethertype: 0x8100 (802.1Q) or 0x88a8 (802.1ad). */
  | { readonly kind: "vlan"; readonly id: number; readonly protocol?: number }
  | { readonly kind: "vrf"; readonly table: number }
  | ({ readonly kind: "bond" } & BondSettings);

/** Kind of a virtual link, as `bridge` or `veth` (ip-link(8)). */
export type LinkKind = LinkInfo["kind"];

/** Another network namespace: that of a process, or the one a file stands for. */
export type NamespaceTarget = { readonly pid: number } | { readonly path: string };

/** The other end of a veth pair; only read when the pair is created. */
export interface VethPeer {
  readonly name: string;
  readonly hardwareAddress?: string;
  readonly networkNamespace?: NamespaceTarget;
}

/** Counters of a link since it was created (`IFLA_STATS64`). */
export interface LinkStatistics {
  readonly receivedPackets: bigint;
  readonly sentPackets: bigint;
  readonly receivedBytes: bigint;
  readonly sentBytes: bigint;
  readonly receiveErrors: bigint;
  readonly sendErrors: bigint;
  readonly receiveDropped: bigint;
  readonly sendDropped: bigint;
}

/** A network link, as the kernel reports it (`RTM_NEWLINK`). */
export interface Link {
  readonly index: number;
  readonly name: string;
  /** Hardware type (ARPHRD_*): 1 is ethernet, 772 loopback. */
  readonly type: number;
  /** See {@link linkFlags}. */
  readonly flags: number;
  readonly mtu: number;
  /** Empty where the link has none. */
  readonly hardwareAddress: string;
  readonly permanentAddress: string;
  readonly broadcastAddress: string;
  /** Index of the link this one is built on (or of the peer), 0 if none. */
  readonly linkIndex: number;
  readonly masterIndex: number;
  /** Number of IF_OPER_*: 0 unknown, 2 down, 6 up. */
  readonly operationalState: number;
  readonly queueDiscipline: string;
  readonly alias: string;
  readonly alternativeNames: readonly string[];
  /** Empty for hardware. */
  readonly kind: string;
  readonly slaveKind: string;
  /** Settings of the kinds of {@link LinkInfo}. */
  readonly info: LinkInfo | undefined;
  readonly carrier: boolean;
  readonly statistics: LinkStatistics | undefined;
}

/** Describes what may change on an existing link; what is left out stays. */
export interface LinkChange {
  readonly name?: string;
  readonly up?: boolean;
  readonly mtu?: number;
  readonly hardwareAddress?: string;
  /** Index of the bridge, bond or VRF to join; 0 leaves it. */
  readonly masterIndex?: number;
  readonly networkNamespace?: NamespaceTarget;
  readonly alias?: string;
  readonly multicast?: boolean;
  /** New settings of the kind the link already has. */
  readonly info?: LinkInfo;
}

/** A link to create. */
export interface LinkCreate extends Omit<LinkChange, "info" | "name"> {
  readonly name: string;
  readonly info: LinkInfo;
  /** Index of the link to build on, which a VLAN needs. */
  readonly linkIndex?: number;
}
