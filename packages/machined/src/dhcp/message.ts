import { addressBytes, formatAddress } from "@talos-ts/base/net";
import { encodeMac } from "@talos-ts/linux";

/** Types of DHCPv4 messages (RFC 2132, option 53). */
const messageTypes = { discover: 1, offer: 2, request: 3, decline: 4, ack: 5, nak: 6, release: 7 } as const;

export type MessageType = keyof typeof messageTypes;

/** Options of DHCPv4 that are sent or read here (RFC 2132, RFC 3397, RFC 3442). */
export const options = {
  subnetMask: 1,
  router: 3,
  dns: 6,
  hostname: 12,
  domain: 15,
  mtu: 26,
  ntp: 42,
  requestedAddress: 50,
  leaseSeconds: 51,
  type: 53,
  server: 54,
  parameters: 55,
  maxSize: 57,
  renewSeconds: 58,
  rebindSeconds: 59,
  clientId: 61,
  search: 119,
  classlessRoutes: 121,
} as const;

const fixedBytes = 236;
const cookie = 0x63825363;
const bootRequest = 1;
const broadcastFlag = 0x8000;

/** A DHCPv4 message. */
export interface DhcpMessage {
  readonly op: "request" | "reply";
  readonly type: MessageType;
  readonly transaction: number;
  readonly hardwareAddress: string;
  /** Address that the client has and uses; `0.0.0.0` for none. */
  readonly clientAddress: string;
  /** Address that the server gives. */
  readonly yourAddress: string;
  readonly options: ReadonlyMap<number, Buffer>;
}

/** Writes a message (RFC 2131). Answers are asked for as broadcasts: before it has an address, a client hears nothing else. */
export function encodeDhcp(message: DhcpMessage): Buffer {
  const fixed = Buffer.alloc(fixedBytes + 4);
  fixed.writeUInt8(message.op === "request" ? bootRequest : 2, 0);
  fixed.writeUInt8(1, 1);
  fixed.writeUInt8(6, 2);
  fixed.writeUInt32BE(message.transaction >>> 0, 4);
  if (message.clientAddress === "0.0.0.0") fixed.writeUInt16BE(broadcastFlag, 10);
  addressBytes(message.clientAddress).copy(fixed, 12);
  addressBytes(message.yourAddress).copy(fixed, 16);
  encodeMac(message.hardwareAddress).copy(fixed, 28);
  fixed.writeUInt32BE(cookie, fixedBytes);
  const written = [[options.type, Buffer.from([messageTypes[message.type]])] as const, ...message.options].flatMap(
    ([code, value]) => pieces(value).map((piece) => Buffer.concat([Buffer.from([code, piece.length]), piece])),
  );
  return Buffer.concat([fixed, ...written, Buffer.from([255])]);
}

/** Values of more than 255 bytes travel in several options of the same code (RFC 3396). */
function pieces(value: Buffer): readonly Buffer[] {
  if (value.length <= 255) return [value];
  return [value.subarray(0, 255), ...pieces(value.subarray(255))];
}

/** Reads a message; `undefined` for what is not one. */
export function decodeDhcp(bytes: Buffer): DhcpMessage | undefined {
  if (bytes.length < fixedBytes + 4 || bytes.readUInt32BE(fixedBytes) !== cookie) return undefined;
  const found = readOptions(bytes.subarray(fixedBytes + 4));
  const type = Object.entries(messageTypes).find(([, number]) => number === found?.get(options.type)?.[0])?.[0];
  if (found === undefined || type === undefined) return undefined;
  found.delete(options.type);
  return {
    op: bytes.readUInt8(0) === bootRequest ? "request" : "reply",
    type: type as MessageType,
    transaction: bytes.readUInt32BE(4),
    hardwareAddress: bytes
      .subarray(28, 34)
      .toString("hex")
      .replace(/..(?=.)/g, "$&:"),
    clientAddress: formatAddress(bytes.subarray(12, 16)),
    yourAddress: formatAddress(bytes.subarray(16, 20)),
    options: found,
  };
}

function readOptions(bytes: Buffer): Map<number, Buffer> | undefined {
  const found = new Map<number, Buffer>();
  for (let offset = 0; offset < bytes.length;) {
    const code = bytes.readUInt8(offset);
    if (code === 255) return found;
    if (code === 0) {
      offset += 1;
      continue;
    }
    if (offset + 2 > bytes.length) return undefined;
    const length = bytes.readUInt8(offset + 1);
    if (offset + 2 + length > bytes.length) return undefined;
    const value = bytes.subarray(offset + 2, offset + 2 + length);
    found.set(code, Buffer.concat([found.get(code) ?? Buffer.alloc(0), value]));
    offset += 2 + length;
  }
  return found;
}
