/** 2023-11-14T22:13:20.5Z in the time of NTP. */
const halfPast = ((1_700_000_000n + 2_208_988_800n) << 32n) | 0x8000_0000n;

/** The answer of a server in sync to a request. */
export function ntpAnswer(request: Buffer, change: (packet: Buffer) => void = () => undefined): Buffer {
  const packet = Buffer.alloc(48);
  packet[0] = 0x24;
  packet[1] = 2;
  request.copy(packet, 24, 40, 48);
  packet.writeBigUInt64BE(halfPast, 40);
  change(packet);
  return packet;
}
