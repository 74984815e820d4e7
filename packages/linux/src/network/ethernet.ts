/** Sizes of the rings of a card (ethtool(8), `-g`); booleans are 0 and 1. */
export const ringFields = [
  "rxMax",
  "rxMiniMax",
  "rxJumboMax",
  "txMax",
  "rx",
  "rxMini",
  "rxJumbo",
  "tx",
  "rxBufLen",
  "tcpDataSplit",
  "cqeSize",
  "txPush",
  "rxPush",
  "txPushBufLen",
  "txPushBufLenMax",
] as const;

/** Numbers of channels of a card (ethtool(8), `-l`). */
export const channelFields = ["rxMax", "txMax", "otherMax", "combinedMax", "rx", "tx", "other", "combined"] as const;

export type EthernetRings = Readonly<Partial<Record<(typeof ringFields)[number], number>>>;
export type EthernetChannels = Readonly<Partial<Record<(typeof channelFields)[number], number>>>;

/** An offload or another feature of a card (ethtool(8), `-k`). */
export interface EthernetFeature {
  readonly name: string;
  readonly active: boolean;
  readonly requested: boolean;
  /** Whether the driver does not let it change. */
  readonly fixed: boolean;
}

/** Settings of a card; `undefined` for what its driver does not know. */
export interface EthernetSettings {
  readonly features: readonly EthernetFeature[];
  readonly rings: EthernetRings | undefined;
  readonly channels: EthernetChannels | undefined;
  /** Bits of WAKE_*: 1 phy, 2 unicast, 4 multicast, 8 broadcast, 32 magic. */
  readonly wakeOnLan: number | undefined;
}

/** Settings of a network interface that can change; absent ones stay. */
export interface EthernetChange {
  readonly features?: Readonly<Record<string, boolean>>;
  readonly rings?: EthernetRings;
  readonly channels?: EthernetChannels;
  readonly wakeOnLan?: number;
}

/** Settings of network cards. Errors have codes `netlink/<errno>`. */
export interface Ethernet extends Disposable {
  settings(linkIndex: number): Promise<EthernetSettings>;
  /** @throws OsError `netlink/eopnotsupp` for what the driver does not know */
  change(linkIndex: number, change: EthernetChange): Promise<void>;
}
