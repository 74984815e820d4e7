const counters = [
  "receivedBytes",
  "receivedPackets",
  "receiveErrors",
  "receiveDropped",
  "receiveFifo",
  "receiveFrame",
  "receiveCompressed",
  "receiveMulticast",
  "sentBytes",
  "sentPackets",
  "sendErrors",
  "sendDropped",
  "sendFifo",
  "sendCollisions",
  "sendCarrier",
  "sendCompressed",
] as const;

/** Counters of a network device (`/proc/net/dev`). */
export type NetDeviceStat = Readonly<Record<(typeof counters)[number], bigint>> & { readonly name: string };

/** /proc/net/dev without its two lines of heading. */
export function parseNetDev(text: string): readonly NetDeviceStat[] {
  return text.split("\n").flatMap((line) => {
    const colon = line.lastIndexOf(":");
    const values = line
      .slice(colon + 1)
      .trim()
      .split(/\s+/);
    if (colon < 0 || values.length < counters.length || !values.every((value) => /^\d+$/.test(value))) return [];
    const numbers = Object.fromEntries(counters.map((counter, index) => [counter, BigInt(values[index] ?? 0)]));
    return [{ name: line.slice(0, colon).trim(), ...(numbers as Record<(typeof counters)[number], bigint>) }];
  });
}
