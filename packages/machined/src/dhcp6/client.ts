import { addressBytes } from "@talos-ts/base/net";
import { describeError, timeLimit, type Clock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import { leaseOf6, type Lease6 } from "./lease.ts";
import {
  decodeDhcp6,
  encodeDhcp6,
  encodeOptions6,
  findOption6,
  options6,
  type Dhcp6Message,
  type Dhcp6MessageType,
  type Dhcp6Option,
} from "./message.ts";
import type { Dhcp6Socket } from "./socket.ts";

/** Settings of `runDhcp6`. */
export interface Dhcp6ClientOptions {
  /** Opens the socket; it is open only while an answer is waited for. */
  readonly open: () => Promise<Dhcp6Socket>;
  /** DUID of this machine. */
  readonly clientId: Buffer;
  /** Number of the identity association, the same at every start: four bytes of the link's address. */
  readonly identity: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** A number below 1. @default Math.random */
  readonly random?: () => number;
  /** Told of every new lease, and with `undefined` when the last one ended. */
  readonly onLease: (lease: Lease6 | undefined) => void;
}

/** First and longest wait for an answer, in ms (RFC 8415, section 7.6: SOL_TIMEOUT and a bound for impatient machines). */
const firstWaitMs = 1000;
const longestWaitMs = 120_000;

const wanted = [options6.dns, options6.search, options6.sntp, options6.fqdn, options6.ntp];

/** Gets an address by DHCPv6 (RFC 8415), renews it in time, and starts again when it ends. Resolves when the signal aborts. */
export async function runDhcp6(client: Dhcp6ClientOptions): Promise<void> {
  const { clock, logger, signal, random = Math.random } = client;
  /** Waits double, with a tenth of chance, so that machines that start together do not ask together. */
  const wait = (attempt: number): number =>
    Math.min(firstWaitMs * 2 ** attempt, longestWaitMs) * (1 + (random() * 2 - 1) / 10);
  const sleep = (ms: number): Promise<void> => clock.sleep(Math.max(0, ms), signal);

  async function obtain(): Promise<Lease6> {
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      const nextMs = clock.monotonic() + wait(attempt);
      try {
        const lease = await negotiate(client, nextMs - clock.monotonic());
        if (lease !== undefined) return lease;
      } catch (err) {
        signal.throwIfAborted();
        logger.warn("DHCPv6 attempt failed", { error: describeError(err) });
      }
      await sleep(nextMs - clock.monotonic());
    }
  }

  /** The lease once more, or `undefined` when it ended: RENEW goes to its server, REBIND to any. */
  async function renew(lease: Lease6, obtainedMs: number): Promise<Lease6 | undefined> {
    await sleep(obtainedMs + lease.renewMs - clock.monotonic());
    for (let attempt = 0; clock.monotonic() < obtainedMs + lease.expiresMs; attempt += 1) {
      const untilEnd = obtainedMs + lease.expiresMs - clock.monotonic();
      const rebinds = clock.monotonic() >= obtainedMs + lease.rebindMs;
      const nextMs = clock.monotonic() + Math.min(wait(attempt), untilEnd);
      try {
        const timeoutMs = nextMs - clock.monotonic();
        const reply = await ask(client, rebinds ? "rebind" : "renew", { lease, named: !rebinds }, timeoutMs);
        const again = reply === undefined ? undefined : leaseOf6(reply);
        if (again !== undefined) return again;
        if (reply !== undefined) return undefined;
      } catch (err) {
        signal.throwIfAborted();
        logger.warn("DHCPv6 renewal failed", { error: describeError(err) });
      }
      await sleep(nextMs - clock.monotonic());
    }
    return undefined;
  }

  try {
    for (;;) {
      let lease: Lease6 | undefined = await obtain();
      while (lease !== undefined) {
        const obtainedMs = clock.monotonic();
        logger.info("DHCPv6 lease", { address: lease.address, seconds: lease.expiresMs / 1000 });
        client.onLease(lease);
        lease = await renew(lease, obtainedMs);
      }
      logger.warn("DHCPv6 lease ended");
      client.onLease(undefined);
    }
  } catch (err) {
    if (!signal.aborted) throw err;
  }
}

/** SOLICIT, ADVERTISE, REQUEST, REPLY. */
async function negotiate(client: Dhcp6ClientOptions, timeoutMs: number): Promise<Lease6 | undefined> {
  const offer = await ask(client, "solicit", {}, timeoutMs);
  const lease = offer === undefined ? undefined : leaseOf6(offer);
  if (lease === undefined) return undefined;
  const reply = await ask(client, "request", { lease, named: true }, timeoutMs);
  return reply === undefined ? undefined : leaseOf6(reply);
}

interface About {
  /** The address that is asked for. */
  readonly lease?: Lease6;
  /** True when only the server of the lease may answer. */
  readonly named?: boolean;
}

/** Sends a message and waits for the answer to it; `undefined` when none comes in time. */
async function ask(
  client: Dhcp6ClientOptions,
  type: Dhcp6MessageType,
  about: About,
  timeoutMs: number,
): Promise<Dhcp6Message | undefined> {
  const { clock, signal, random = Math.random } = client;
  const transaction = Math.floor(random() * 0x100_0000);
  const expected: Dhcp6MessageType = type === "solicit" ? "advertise" : "reply";
  await using socket = await client.open();
  using limit = timeLimit(Math.max(1, timeoutMs), { clock, signal });
  const { promise, resolve } = Promise.withResolvers<Dhcp6Message>();
  socket.listen((bytes) => {
    const answer = tryDecode(bytes);
    if (answer?.type !== expected || answer.transaction !== transaction) return;
    if (findOption6(answer.options, options6.clientId)?.equals(client.clientId) === true) resolve(answer);
  });
  await socket.send(encodeDhcp6({ type, transaction, options: optionsOf(client, about) }));
  try {
    return await limit.race(promise);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function optionsOf({ clientId, identity }: Dhcp6ClientOptions, { lease, named }: About): readonly Dhcp6Option[] {
  const association = Buffer.alloc(12);
  association.writeUInt32BE(identity, 0);
  const address = Buffer.alloc(24);
  if (lease !== undefined) address.set(addressBytes(lease.address.split("/")[0] ?? ""), 0);
  const granted = lease === undefined ? [] : [[options6.address, address] as const];
  return [
    [options6.clientId, clientId],
    ...(lease !== undefined && named === true ? [[options6.serverId, lease.serverId] as const] : []),
    [options6.elapsed, Buffer.alloc(2)],
    [options6.wanted, Buffer.concat(wanted.map(u16))],
    [options6.addresses, Buffer.concat([association, encodeOptions6(granted)])],
  ];
}

function tryDecode(bytes: Buffer): Dhcp6Message | undefined {
  try {
    return decodeDhcp6(bytes);
  } catch {
    return undefined;
  }
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
