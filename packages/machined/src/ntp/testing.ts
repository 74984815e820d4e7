import { createSocket } from "node:dgram";

/** 2023-11-14T22:13:20.5Z, in nanoseconds since 1970. */
const halfPast = 1_700_000_000_500_000_000n;

function ntpTime(nanoseconds: bigint): bigint {
  const seconds = nanoseconds / 1_000_000_000n;
  const fraction = ((nanoseconds % 1_000_000_000n) << 32n) / 1_000_000_000n;
  return ((seconds + 2_208_988_800n) << 32n) | (fraction + (fraction === 0n ? 0n : 1n));
}

/** The answer of a server in sync to a request. @param change Makes it a wrong one. @param time The server's. */
export function ntpAnswer(
  request: Buffer,
  change: (packet: Buffer) => void = () => undefined,
  time: bigint = halfPast,
): Buffer {
  const packet = Buffer.alloc(48);
  packet[0] = 0x24;
  packet[1] = 2;
  packet.writeBigUInt64BE(ntpTime(time - 60_000_000_000n), 16);
  request.copy(packet, 24, 40, 48);
  packet.writeBigUInt64BE(ntpTime(time), 32);
  packet.writeBigUInt64BE(ntpTime(time), 40);
  change(packet);
  return packet;
}

/** A server on the loopback interface. */
export interface TestNtpServer extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly name: string;
  /** Requests that arrived. */
  readonly requests: number;
}

/** Starts a server that answers every request. `answer` returns `undefined` to stay silent. */
export async function startNtpServer(answer: (request: Buffer) => Buffer | undefined): Promise<TestNtpServer> {
  let requests = 0;
  const socket = createSocket("udp4");
  socket.on("message", (request, { port, address }) => {
    requests += 1;
    const packet = answer(request);
    if (packet !== undefined) socket.send(packet, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    name: `127.0.0.1:${String(socket.address().port)}`,
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
