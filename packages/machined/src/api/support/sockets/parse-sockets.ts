import { formatAddress, unmapAddress } from "@talos-ts/base/net";

/** A socket as a line of /proc/net/{tcp,udp,raw}[6] tells it. */
export interface SocketEntry {
  readonly localIp: string;
  readonly localPort: number;
  readonly remoteIp: string;
  readonly remotePort: number;
  /** Number of the state, as in TCP. */
  readonly state: number;
  readonly sendQueue: bigint;
  readonly receiveQueue: bigint;
  readonly timer: number;
  readonly timerWhen: bigint;
  readonly retransmits: bigint;
  readonly uid: number;
  readonly timeout: bigint;
  readonly inode: bigint;
  readonly references: bigint;
  readonly pointer: bigint;
}

const hexadecimal = "[0-9A-Fa-f]";
const line = new RegExp(
  `^\\s*\\d+: (${hexadecimal}+):(${hexadecimal}{4}) (${hexadecimal}+):(${hexadecimal}{4}) (${hexadecimal}{2})` +
    ` (${hexadecimal}{1,16}):(${hexadecimal}{1,16}) (${hexadecimal}{2}):(${hexadecimal}{1,16}) (${hexadecimal}{1,16})` +
    `\\s+(\\d{1,10})\\s+(\\d{1,20})\\s+(\\d{1,20})(?:\\s+(\\d{1,20})\\s+(${hexadecimal}{1,16}))?`,
);

/** Lines that are no sockets, such as the heading, are left out. */
export function parseSockets(text: string): readonly SocketEntry[] {
  return text.split("\n").flatMap((row) => {
    const match = line.exec(row);
    if (match === null) return [];
    const [local, localPort, remote, remotePort, state, tx, rx, timer, when, retransmits, ...numbers] = match.slice(1);
    const [uid, timeout, inode, references, pointer] = numbers;
    const [localIp, remoteIp] = [parseIp(local), parseIp(remote)];
    if (localIp === undefined || remoteIp === undefined) return [];
    return {
      localIp,
      localPort: hex(localPort),
      remoteIp,
      remotePort: hex(remotePort),
      state: hex(state),
      sendQueue: bigHex(tx),
      receiveQueue: bigHex(rx),
      timer: hex(timer),
      timerWhen: bigHex(when),
      retransmits: bigHex(retransmits),
      uid: Number(uid ?? 0),
      timeout: BigInt(timeout ?? 0),
      inode: BigInt(inode ?? 0),
      references: BigInt(references ?? 0),
      pointer: bigHex(pointer),
    };
  });
}

const hex = (text = "0"): number => Number.parseInt(text, 16);
const bigHex = (text = "0"): bigint => BigInt(`0x${text}`);

/** The kernel writes addresses as words of four bytes in its own order, which is little-endian on all machines served. */
function parseIp(text = ""): string | undefined {
  if (text.length !== 8 && text.length !== 32) return undefined;
  return unmapAddress(formatAddress(Buffer.from(text, "hex").swap32()));
}
