import { runForever, systemClock, type BackoffOptions, type Clock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { ClientTls } from "@talos-ts/grpc";
import { talosVersion } from "../constants/index.ts";
import type { AffiliateSpec } from "../resources/cluster/index.ts";
import { createAnnouncement, type SeenEndpoint } from "./announcement.ts";
import { createOutageLog } from "./outage-log.ts";
import { createRoster, describeNote } from "./roster.ts";
import { createSeal } from "./seal.ts";
import { runSession } from "./session.ts";

/** Settings of a discovery client. */
export interface DiscoveryClientOptions {
  /** `host:port` of the service. */
  readonly endpoint: string;
  /** Without it, the connection is not encrypted; what members tell each other is, in any case. */
  readonly tls?: ClientTls;
  readonly clusterId: string;
  /** The id of this machine. */
  readonly affiliateId: string;
  /** The secret of the cluster, 32 bytes. */
  readonly key: Uint8Array;
  readonly logger: Logger;
  /** The affiliates or the public address are others than before. */
  readonly onChange: () => void;
  /** @default {talosVersion} */
  readonly clientVersion?: string;
  /** Time that the service keeps what it was told; it is told again at half of it. @default {1_800_000} */
  readonly ttlMs?: number;
  /** Time that those stay that a service which starts over does not know yet. @default {120_000} */
  readonly graceMs?: number;
  /** Between conversations. @default 500 ms growing by 1.5 to a minute */
  readonly backoff?: BackoffOptions;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** Tells the members of a cluster about this machine, and hears of the others. */
export interface DiscoveryClient extends AsyncDisposable {
  /** Announces what this machine says of itself, and where it has seen others; sent when it changes and before it expires. */
  announce(affiliate: AffiliateSpec, seen?: readonly SeenEndpoint[]): void;
  /** Has the others forget this machine. */
  withdraw(): void;
  /** The others. They stay known while the service is away. */
  readonly affiliates: readonly AffiliateSpec[];
  /** Address by which the service sees this machine. */
  readonly publicAddress: string | undefined;
}

/**
 * Works until it is disposed of; an unreachable service is tried again and again, with one line in the log.
 *
 * @throws `discovery/bad-key`
 */
export function createDiscoveryClient(options: DiscoveryClientOptions): DiscoveryClient {
  const { endpoint, clusterId, affiliateId, logger, onChange, clock = systemClock } = options;
  const { clientVersion = talosVersion, ttlMs = 30 * 60_000, graceMs } = options;
  const seal = createSeal(options.key);
  const announcement = createAnnouncement(seal);
  const outages = createOutageLog(logger, endpoint);
  const roster = createRoster({
    seal,
    self: affiliateId,
    clock,
    ...(graceMs !== undefined && { graceMs }),
    note: (id, error) => logger.warn("affiliate is ignored", { affiliate: id, ...describeNote(error) }),
  });
  let publicAddress: string | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;

  const running = runForever(
    (works) =>
      runSession({
        endpoint,
        tls: options.tls,
        clusterId,
        affiliateId,
        clientVersion,
        ttlMs,
        announcement,
        roster,
        clock,
        signal,
        onChange,
        onAddress(address) {
          if (address === publicAddress) return;
          publicAddress = address;
          onChange();
        },
        onConnected: () => outages.connected(),
        onSteady() {
          // Not earlier: a service that hangs up at once would be called without pause.
          works();
          outages.steady();
        },
      }),
    {
      signal,
      clock,
      backoff: options.backoff ?? {},
      onEnd: (err, retryMs) => outages.failed(err, retryMs),
    },
  );

  return {
    announce: (affiliate, seen = []) => announcement.set(affiliate, seen),
    withdraw: () => announcement.withdraw(),
    get affiliates() {
      return roster.affiliates;
    },
    get publicAddress() {
      return publicAddress;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}
