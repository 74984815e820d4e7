import type { Family } from "./family.ts";

/** An address of a link, as the kernel reports it (rtnetlink(7), `RTM_NEWADDR`). */
export interface Address {
  readonly family: Family;
  /** `address/length`. On a point-to-point link the address of the peer. */
  readonly address: string;
  readonly local: string | undefined;
  readonly broadcast: string | undefined;
  readonly anycast: string | undefined;
  readonly multicast: string | undefined;
  readonly label: string | undefined;
  readonly linkIndex: number;
  /** Number of RT_SCOPE_*: 0 global, 253 link, 254 host. */
  readonly scope: number;
  /** IFA_F_*: 0x80 permanent, 0x40 tentative, 0x20 deprecated. */
  readonly flags: number;
  readonly priority: number;
  /** 0xffffffff stands for ever. */
  readonly validSeconds: number;
  readonly preferredSeconds: number;
}

/** An address to add to a link. */
export interface AddressSpec {
  readonly address: string;
  readonly linkIndex: number;
  readonly broadcast?: string;
  readonly label?: string;
  readonly scope?: number;
  readonly flags?: number;
  readonly priority?: number;
  readonly validSeconds?: number;
  readonly preferredSeconds?: number;
}
