import { readBoolean, readDer, readNamedBits, readOid, readSingle, readUnsignedInteger } from "../der/der-read.ts";
import { tags } from "../der/der-tags.ts";
import { boolean, implicit, namedBits, octetString, oid, sequence } from "../der/der-write.ts";
import { cryptoError } from "../errors.ts";
import { addressBytes, formatAddress, isAddress } from "@talos-ts/base/net";
import { extKeyUsageOids, keyUsageBits, oids, type ExtKeyUsage, type KeyUsage } from "../der/oids.ts";

/** The names a certificate stands for. */
export interface SubjectAltNames {
  readonly dnsNames: readonly string[];
  /** In text form. */
  readonly ipAddresses: readonly string[];
}

export interface Extensions extends SubjectAltNames {
  /** `undefined` where the certificate does not restrict it. */
  readonly keyUsages: readonly KeyUsage[] | undefined;
  /** Object identifiers; `undefined` where the certificate does not restrict it. */
  readonly extKeyUsages: readonly string[] | undefined;
  readonly isCa: boolean;
  /** Path length constraint: number of intermediate CAs that may follow; `undefined` for any number. */
  readonly pathLength: number | undefined;
  readonly subjectKeyId: Buffer | undefined;
  readonly authorityKeyId: Buffer | undefined;
  /** Extensions that must be understood before the certificate may be trusted, and are not. */
  readonly unhandled: readonly string[];
}

export interface ExtensionsInit {
  readonly keyUsages?: readonly KeyUsage[];
  readonly extKeyUsages?: readonly ExtKeyUsage[];
  readonly isCa?: boolean;
  readonly subjectKeyId?: Uint8Array | undefined;
  readonly authorityKeyId?: Uint8Array | undefined;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  /** RFC 5280 4.2.1.6: the alternative name is all there is, so it must be understood. */
  readonly emptySubject?: boolean;
}

const generalName = { dns: 2, uri: 6, ip: 7 } as const;

/** `Extensions`, in the order Go's `crypto/x509` writes them; empty when there are none. */
export function encodeExtensions(init: ExtensionsInit): Buffer {
  const list: Buffer[] = [];
  const add = (type: string, critical: boolean, value: Buffer): void => {
    list.push(sequence(oid(type), ...(critical ? [boolean(true)] : []), octetString(value)));
  };
  const { keyUsages = [], extKeyUsages = [] } = init;
  if (keyUsages.length > 0) add(oids.keyUsage, true, namedBits(keyUsages.map((usage) => keyUsageBits[usage])));
  if (extKeyUsages.length > 0) {
    add(oids.extKeyUsage, false, sequence(...extKeyUsages.map((usage) => oid(extKeyUsageOids[usage]))));
  }
  if (init.isCa === true) add(oids.basicConstraints, true, sequence(boolean(true)));
  if (init.subjectKeyId !== undefined) add(oids.subjectKeyId, false, octetString(init.subjectKeyId));
  if (init.authorityKeyId !== undefined) add(oids.authorityKeyId, false, sequence(implicit(0, init.authorityKeyId)));
  const names = encodeAltNames(init);
  if (names.length > 0) add(oids.subjectAltName, init.emptySubject === true, sequence(...names));
  return sequence(...list);
}

function encodeAltNames({ dnsNames = [], ipAddresses = [] }: ExtensionsInit): Buffer[] {
  return [
    ...dnsNames.map((name) => {
      if (!/^[\x21-\x7e]+$/.test(name)) throw cryptoError("crypto/bad-name", `"${name}" is not a DNS name`);
      return implicit(generalName.dns, Buffer.from(name, "latin1"));
    }),
    ...ipAddresses.map((address) => {
      // A zone has no place in a certificate (RFC 5280 section 4.2.1.6).
      if (!isAddress(address) || address.includes("%")) {
        throw cryptoError("crypto/bad-name", `"${address}" is not an IP address`);
      }
      return implicit(generalName.ip, addressBytes(address));
    }),
  ];
}

type Draft = { -readonly [K in keyof Extensions]: Extensions[K] };

const keyUsageByBit = new Map(Object.entries(keyUsageBits).map(([name, bit]) => [bit as number, name as KeyUsage]));

/** One reader per extension understood; every other one is skipped, or listed as unhandled if it is critical. */
const readers: Readonly<Record<string, (value: Buffer, draft: Draft) => void>> = {
  [oids.keyUsage](value, draft) {
    const bits = readNamedBits(readSingle(value, tags.bitString, "key usage"));
    draft.keyUsages = bits.flatMap((bit) => keyUsageByBit.get(bit) ?? []);
  },
  [oids.extKeyUsage](value, draft) {
    const reader = readDer(readSingle(value, tags.sequence, "extended key usage").body);
    const usages: string[] = [];
    while (!reader.done) usages.push(readOid(reader.expect(tags.oid, "a key purpose")));
    draft.extKeyUsages = usages;
  },
  [oids.basicConstraints](value, draft) {
    const reader = readDer(readSingle(value, tags.sequence, "basic constraints").body);
    const isCa = reader.optional(tags.boolean);
    const pathLength = reader.optional(tags.integer);
    reader.end("basic constraints");
    draft.isCa = isCa !== undefined && readBoolean(isCa);
    draft.pathLength = pathLength === undefined ? undefined : Number(readUnsignedInteger(pathLength));
  },
  [oids.subjectKeyId](value, draft) {
    draft.subjectKeyId = readSingle(value, tags.octetString, "subject key identifier").body;
  },
  [oids.authorityKeyId](value, draft) {
    const reader = readDer(readSingle(value, tags.sequence, "authority key identifier").body);
    draft.authorityKeyId = reader.optional(tags.contextPrimitive)?.body;
  },
  [oids.subjectAltName](value, draft) {
    const reader = readDer(readSingle(value, tags.sequence, "subject alternative names").body);
    const dnsNames: string[] = [];
    const ipAddresses: string[] = [];
    while (!reader.done) {
      const { tag, body } = reader.next();
      if (tag === (tags.contextPrimitive | generalName.dns)) dnsNames.push(body.toString("latin1"));
      if (tag !== (tags.contextPrimitive | generalName.ip)) continue;
      if (body.length !== 4 && body.length !== 16) {
        throw cryptoError("crypto/bad-der", `IP address has ${body.length} bytes`);
      }
      ipAddresses.push(formatAddress(body));
    }
    Object.assign(draft, { dnsNames, ipAddresses });
  },
  // Not enforced here, so a CA that is limited by it must not be trusted beyond the limit.
  [oids.nameConstraints](_value, draft) {
    draft.unhandled = [...draft.unhandled, oids.nameConstraints];
  },
};

/** Extensions of a certificate that has none. */
export const noExtensions: Extensions = {
  keyUsages: undefined,
  extKeyUsages: undefined,
  isCa: false,
  pathLength: undefined,
  subjectKeyId: undefined,
  authorityKeyId: undefined,
  dnsNames: [],
  ipAddresses: [],
  unhandled: [],
};

/** Reads the body of `Extensions`. */
export function readExtensions(body: Buffer): Extensions {
  const draft: Draft = { ...noExtensions };
  const seen = new Set<string>();
  const list = readDer(body);
  while (!list.done) {
    const extension = readDer(list.expect(tags.sequence, "an extension").body);
    const type = readOid(extension.expect(tags.oid, "an extension type"));
    const flag = extension.optional(tags.boolean);
    const critical = flag !== undefined && readBoolean(flag);
    const value = extension.expect(tags.octetString, "an extension value").body;
    extension.end("an extension");
    if (seen.has(type)) throw cryptoError("crypto/bad-der", `Extension ${type} occurs twice`);
    seen.add(type);
    const read = readers[type];
    if (read !== undefined) read(value, draft);
    else if (critical) draft.unhandled = [...draft.unhandled, type];
  }
  return draft;
}
