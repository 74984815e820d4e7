import { OsError } from "@talos-ts/base";

/** Messages of DHCPv6 (RFC 8415, section 7.3), as far as a client of addresses has them. */
const messageTypes = { solicit: 1, advertise: 2, request: 3, renew: 5, rebind: 6, reply: 7, release: 8 } as const;
export type Dhcp6MessageType = keyof typeof messageTypes;

/** Options (RFC 8415, 3646, 4075, 4704, 5908). */
export const options6 = {
  clientId: 1,
  serverId: 2,
  addresses: 3,
  address: 5,
  wanted: 6,
  elapsed: 8,
  status: 13,
  dns: 23,
  search: 24,
  sntp: 31,
  fqdn: 39,
  ntp: 56,
} as const;

export type Dhcp6Option = readonly [code: number, value: Buffer];

export interface Dhcp6Message {
  readonly type: Dhcp6MessageType;
  /** 24 bits. */
  readonly transaction: number;
  /** In order; some appear several times. */
  readonly options: readonly Dhcp6Option[];
}

const header = 4;

export function encodeDhcp6({ type, transaction, options }: Dhcp6Message): Buffer {
  const head = Buffer.alloc(header);
  head.writeUInt32BE(transaction & 0xff_ffff, 0);
  head[0] = messageTypes[type];
  return Buffer.concat([head, encodeOptions6(options)]);
}

export function encodeOptions6(options: readonly Dhcp6Option[]): Buffer {
  return Buffer.concat(
    options.flatMap(([code, value]) => {
      const head = Buffer.alloc(header);
      head.writeUInt16BE(code, 0);
      head.writeUInt16BE(value.length, 2);
      return [head, value];
    }),
  );
}

/** @throws OsError `dhcp6/malformed` */
export function decodeDhcp6(bytes: Buffer): Dhcp6Message {
  const number = bytes[0];
  const [type] = Object.entries(messageTypes).find(([, value]) => value === number) ?? [];
  if (bytes.length < header || type === undefined) throw malformed("it begins with no known type");
  return {
    type: type as Dhcp6MessageType,
    transaction: bytes.readUIntBE(1, 3),
    options: decodeOptions6(bytes.subarray(header)),
  };
}

/** @throws OsError `dhcp6/malformed` */
export function decodeOptions6(bytes: Buffer): readonly Dhcp6Option[] {
  const found: Dhcp6Option[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + header > bytes.length) throw malformed("an option is cut off");
    const length = bytes.readUInt16BE(at + 2);
    if (at + header + length > bytes.length) throw malformed("an option is longer than the message");
    found.push([bytes.readUInt16BE(at), bytes.subarray(at + header, at + header + length)]);
    at += header + length;
  }
  return found;
}

/** The first option of a code. */
export function findOption6(options: readonly Dhcp6Option[], code: number): Buffer | undefined {
  return options.find(([found]) => found === code)?.[1];
}

function malformed(why: string): OsError {
  return new OsError({
    kind: "data-loss",
    code: "dhcp6/malformed",
    message: `Cannot read a DHCPv6 message: ${why}`,
  });
}
