/** A socket for the IPv4 packets of one link, below the kernel's own IP (packet(7)). Dispose ends its iteration. */
export interface PacketSocket extends Disposable {
  /** Sends an IPv4 packet to a hardware address of the link. */
  send(packet: Uint8Array, destination: string): void;
  /** IPv4 packets that arrive, each from its IP header on; some may be lost under load. */
  readonly packets: AsyncIterable<Buffer>;
}
