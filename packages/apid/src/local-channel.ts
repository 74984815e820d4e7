import { createChannel, type Channel } from "@talos-ts/grpc";
import { maxCallsPerCaller, maxMessageBytes } from "@talos-ts/machinery/constants";

/** One connection has a bound of open calls; several share the calls of all callers. */
const connections = 4;
/** A caller has at most so many, and the calls of one turn of the event loop should leave in one write. */
const callsPerConnection = maxCallsPerCaller;
/** A socket on this machine has no latency to bridge, and this much waits for each caller that does not read. */
const streamWindowBytes = 256 * 1024;
/** A caller that takes one large answer gets it with fewer turns of both processes. */
const sharedWindowBytes = 1024 * 1024;
/** Time in which machined answers most calls, and in which a caller that calls one by one calls again, in ms. */
const pollMs = 0.15;

const options = {
  maxReceiveBytes: maxMessageBytes,
  maxSendBytes: maxMessageBytes,
  streamWindowBytes,
  sharedWindowBytes,
  backoff: { initialMs: 50, maxMs: 1000 },
} as const;

/** Opens the channel to a service of machined that apid itself uses. */
export function openLocalChannel(path: string): Channel {
  return createChannel({ ...options, target: `unix://${path}` });
}

/** Opens the channel to machined through which calls of all callers are forwarded. */
export function openForwardingChannel(path: string): Channel {
  const targets = Array.from({ length: connections }, () => `unix://${path}`);
  return createChannel({ ...options, targets, callsPerConnection, pollMs });
}
