import { addressBytes } from "@talos-ts/base/net";
import { describeError, timeLimit, type Clock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { PacketSocket } from "@talos-ts/linux";
import { decodeDatagram, encodeDatagram } from "./frame.ts";
import { leaseOf, type Lease } from "./lease.ts";
import { decodeDhcp, encodeDhcp, options, type DhcpMessage, type MessageType } from "./message.ts";

const [clientPort, serverPort] = [68, 67];
const broadcast = "255.255.255.255";
const broadcastMac = "ff:ff:ff:ff:ff:ff";
const nobody = "0.0.0.0";

/** Waits between attempts, in milliseconds (RFC 2131, section 4.1). */
const waits = [2000, 4000, 8000, 16_000, 32_000, 64_000] as const;

/** Settings of `runDhcp`. */
export interface DhcpClientOptions {
  /** Opens a socket for packets of the link; it is open only while an answer is waited for. */
  readonly open: () => Promise<PacketSocket>;
  readonly hardwareAddress: string;
  /** Option 61; `undefined` sends none. */
  readonly clientId: Buffer | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** A number below 1, for transactions and to keep machines from asking all at once. @default Math.random */
  readonly random?: () => number;
  /** Told of every new lease, and with `undefined` when the last one ended. */
  readonly onLease: (lease: Lease | undefined) => void;
}

/** Gets a lease, renews it in time, and starts again when it ends. Resolves when the signal aborts. */
export async function runDhcp(client: DhcpClientOptions): Promise<void> {
  const { clock, logger, signal, random = Math.random } = client;
  const pause = (attempt: number): number => {
    const base = waits[Math.min(attempt, waits.length - 1)] ?? 64_000;
    return base + (random() * 2 - 1) * 1000;
  };
  const sleep = (ms: number): Promise<void> => clock.sleep(Math.max(0, ms), signal);

  async function obtain(): Promise<Lease> {
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      const nextMs = clock.monotonic() + pause(attempt);
      try {
        const lease = await negotiate(client, random, nextMs - clock.monotonic());
        if (lease !== undefined) return lease;
      } catch (err) {
        signal.throwIfAborted();
        logger.warn("DHCP attempt failed", { error: describeError(err) });
      }
      // A refusal may come at once; it is no reason to ask again at once.
      await sleep(nextMs - clock.monotonic());
    }
  }

  /** The lease once more, or `undefined` when it ended. */
  async function renew(lease: Lease, obtainedMs: number): Promise<Lease | undefined> {
    await sleep(obtainedMs + lease.renewMs - clock.monotonic());
    for (let attempt = 0; clock.monotonic() < obtainedMs + lease.expiresMs; attempt += 1) {
      const untilEnd = obtainedMs + lease.expiresMs - clock.monotonic();
      const answer = await ask(client, random, request(client, lease.address, {}), Math.min(pause(attempt), untilEnd));
      if (answer?.type === "nak") return undefined;
      const again = answer === undefined ? undefined : leaseOf(answer);
      if (again !== undefined) return again;
    }
    return undefined;
  }

  try {
    for (;;) {
      let lease: Lease | undefined = await obtain();
      while (lease !== undefined) {
        const obtainedMs = clock.monotonic();
        logger.info("DHCP lease", { address: lease.address, server: lease.server, seconds: lease.expiresMs / 1000 });
        client.onLease(lease);
        lease = await renew(lease, obtainedMs);
      }
      logger.warn("DHCP lease ended");
      client.onLease(undefined);
    }
  } catch (err) {
    if (!signal.aborted) throw err;
  }
}

type Outgoing = Omit<DhcpMessage, "transaction">;

/** DISCOVER, OFFER, REQUEST, ACK. */
async function negotiate(
  client: DhcpClientOptions,
  random: () => number,
  timeoutMs: number,
): Promise<Lease | undefined> {
  const offer = await ask(client, random, outgoing(client, "discover", nobody, new Map()), timeoutMs);
  const offered = offer?.type === "offer" ? leaseOf(offer) : undefined;
  if (offered === undefined) return undefined;
  const answer = await ask(client, random, request(client, undefined, { offered }), timeoutMs);
  return answer?.type === "ack" ? leaseOf(answer) : undefined;
}

/** A request for an address that was offered, or to go on with one that is in use. */
function request(
  client: DhcpClientOptions,
  inUse: string | undefined,
  { offered }: { readonly offered?: Lease },
): Outgoing {
  const given = new Map<number, Buffer>();
  const bare = (address: string): Buffer => addressBytes(address.split("/")[0] ?? nobody);
  if (offered !== undefined) {
    given.set(options.requestedAddress, bare(offered.address));
    given.set(options.server, addressBytes(offered.server));
  }
  return outgoing(client, "request", inUse?.split("/")[0] ?? nobody, given);
}

const wanted = [
  options.subnetMask,
  options.router,
  options.dns,
  options.hostname,
  options.domain,
  options.mtu,
  options.ntp,
  options.search,
  options.classlessRoutes,
];

function outgoing(
  { hardwareAddress, clientId }: DhcpClientOptions,
  type: MessageType,
  clientAddress: string,
  more: ReadonlyMap<number, Buffer>,
): Outgoing {
  const given = new Map(more);
  if (clientId !== undefined) given.set(options.clientId, clientId);
  given.set(options.parameters, Buffer.from(wanted));
  given.set(options.maxSize, Buffer.from([0x05, 0xdc]));
  return { op: "request", type, hardwareAddress, clientAddress, yourAddress: nobody, options: given };
}

/** Sends a message and waits for its answer; `undefined` when none came in time. */
async function ask(
  { open, clock, hardwareAddress, signal }: DhcpClientOptions,
  random: () => number,
  message: Outgoing,
  timeoutMs: number,
): Promise<DhcpMessage | undefined> {
  const transaction = Math.floor(random() * 0x1_0000_0000);
  using socket = await open();
  using limit = timeLimit(timeoutMs, { clock, signal });
  const stop = (): void => socket[Symbol.dispose]();
  limit.signal.addEventListener("abort", stop, { once: true });
  socket.send(
    encodeDatagram({
      source: message.clientAddress,
      destination: broadcast,
      sourcePort: clientPort,
      destinationPort: serverPort,
      payload: encodeDhcp({ ...message, transaction }),
    }),
    broadcastMac,
  );
  for await (const packet of socket.packets) {
    const datagram = decodeDatagram(packet);
    if (datagram?.destinationPort !== clientPort || datagram.sourcePort !== serverPort) continue;
    const answer = decodeDhcp(datagram.payload);
    if (answer?.op !== "reply" || answer.transaction !== transaction || answer.hardwareAddress !== hardwareAddress)
      continue;
    return answer;
  }
  signal.throwIfAborted();
  return undefined;
}
