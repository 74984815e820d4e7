import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { OsError, within, type Clock } from "@talos-ts/base";
import { createChannel, createClient, type Client, type ClientTls } from "@talos-ts/grpc";
import { Cluster } from "@talos-ts/proto/discovery/server";
import { addressOf } from "./affiliate-message.ts";
import type { Announcement } from "./announcement.ts";
import type { Roster } from "./roster.ts";

export interface SessionOptions {
  /** `host:port`. */
  readonly endpoint: string;
  /** Without it, the connection is not encrypted. */
  readonly tls: ClientTls | undefined;
  readonly clusterId: string;
  readonly affiliateId: string;
  readonly clientVersion: string;
  readonly ttlMs: number;
  readonly announcement: Announcement;
  readonly roster: Roster;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The service told how it sees this machine. */
  readonly onAddress: (address: string | undefined) => void;
  readonly onChange: () => void;
  /** Everything was sent and everything was heard. */
  readonly onConnected: () => void;
  /** It has been so for a while. */
  readonly onSteady: () => void;
}

const helloTimeoutMs = 10_000;
const updateTimeoutMs = 30_000;
const steadyMs = 30_000;
const maxRedirects = 4;
/** A snapshot of the largest cluster that services keep is half of this. */
const maxReceiveBytes = 8 * 1024 * 1024;

/** One conversation with the service, from the greeting to the failure that ends it. Never returns. */
export async function runSession(options: SessionOptions): Promise<never> {
  const { clusterId, clientVersion, signal } = options;
  let target = options.endpoint;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    await using channel = createChannel({
      target,
      ...(options.tls !== undefined && { tls: options.tls }),
      maxReceiveBytes,
      keepAliveIntervalMs: Math.max(10_000, options.ttlMs / 10),
    });
    const service = createClient(Cluster, channel);
    const { redirect, clientIp } = await service.hello(
      { clusterId, clientVersion },
      { signal, timeoutMs: helloTimeoutMs },
    );
    options.onAddress(addressOf(clientIp)[0]);
    if (redirect === undefined || redirect.endpoint === "") await converse(service, options);
    else target = redirectTarget(redirect.endpoint, target);
  }
  throw new OsError({
    kind: "unavailable",
    code: "discovery/redirects",
    message: `Cannot find the discovery service: it was redirected more than ${String(maxRedirects)} times, at last to ${target}`,
  });
}

async function converse(service: Client<typeof Cluster>, options: SessionOptions): Promise<never> {
  const { clock, roster } = options;
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const aborted = abortOf(signal);
  const heard = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();

  async function listen(): Promise<never> {
    let snapshot = true;
    for await (const message of service.watch({ clusterId: options.clusterId }, { signal })) {
      if (roster.take(message, snapshot)) options.onChange();
      snapshot = false;
      heard.resolve();
    }
    throw new OsError({
      kind: "unavailable",
      code: "discovery/ended",
      message: "The discovery service ended the watch",
    });
  }

  async function speak(): Promise<never> {
    for (;;) {
      const { changed } = options.announcement;
      await send(service, options, signal);
      sent.resolve();
      await within(Promise.race([changed, aborted]), options.ttlMs / 2, clock);
    }
  }

  async function reportSteady(): Promise<never> {
    await Promise.race([Promise.all([heard.promise, sent.promise]), aborted]);
    options.onConnected();
    await clock.sleep(steadyMs, signal);
    options.onSteady();
    await clock.sleep(Math.max(0, roster.graceMs - steadyMs), signal);
    if (roster.expire()) options.onChange();
    return aborted;
  }

  const parts = [listen(), speak(), reportSteady()];
  try {
    return await Promise.race(parts);
  } finally {
    ending.abort();
    await Promise.allSettled(parts);
  }
}

async function send(service: Client<typeof Cluster>, options: SessionOptions, signal: AbortSignal): Promise<void> {
  const { clusterId, affiliateId, ttlMs, announcement } = options;
  const call = { signal, timeoutMs: updateTimeoutMs };
  const ttl = durationFromMs(ttlMs);
  const { current } = announcement;
  if (current.kind === "withdrawn") await service.affiliateDelete({ clusterId, affiliateId }, call);
  if (current.kind !== "affiliate") return;
  const { data: affiliateData, seen } = current;
  const affiliateEndpoints = [...current.endpoints];
  await service.affiliateUpdate({ clusterId, affiliateId, affiliateData, affiliateEndpoints, ttl }, call);
  for (const { affiliateId, endpoints } of seen) {
    await service.affiliateUpdate({ clusterId, affiliateId, affiliateEndpoints: [...endpoints], ttl }, call);
  }
}

/** Only hosts: a service has no say in which sockets of this machine are opened. */
function redirectTarget(endpoint: string, from: string): string {
  if (/^(?:\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i.test(endpoint)) return endpoint;
  throw new OsError({
    kind: "invalid-argument",
    code: "discovery/bad-redirect",
    message: `Cannot follow the discovery service at ${from} to "${endpoint}": expected "host:port"`,
  });
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
