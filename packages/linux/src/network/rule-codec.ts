import { malformed } from "../ffi/errno.ts";
import { encodeAttributes, parseAttributes, type Attribute } from "../netlink/attributes.ts";
import { readText, readU32, readU8, text, u32 } from "../netlink/values.ts";
import { familyOfNumber } from "./address-codec.ts";
import { families, type Family } from "./family.ts";
import { addressBytes, formatAddress, maskPrefix, parsePrefix } from "@talos-ts/base/net";
import { ruleActions, type Rule, type RuleSpec } from "./rule.ts";

const FIB_RULE_HDR = 12;

const fra = {
  DST: 1,
  SRC: 2,
  IIFNAME: 3,
  PRIORITY: 6,
  FWMARK: 10,
  TABLE: 15,
  FWMASK: 16,
  OIFNAME: 17,
  PROTOCOL: 21,
} as const;

export function encodeRuleHeader(family: Family): Buffer {
  const header = Buffer.alloc(FIB_RULE_HDR);
  header.writeUInt8(families[family], 0);
  return header;
}

/** The payload of NEWRULE and DELRULE. */
export function encodeRule(spec: RuleSpec): Buffer {
  const header = encodeRuleHeader(spec.family);
  const attributes: Attribute[] = [];
  const prefix = (value: string | undefined, type: number, offset: number): void => {
    if (value === undefined) return;
    const { address, length } = parsePrefix(maskPrefix(value));
    header.writeUInt8(length, offset);
    if (length > 0) attributes.push({ type, value: addressBytes(address) });
  };
  prefix(spec.destination, fra.DST, 1);
  prefix(spec.source, fra.SRC, 2);
  const table = spec.table ?? 0;
  header.writeUInt8(table < 256 ? table : 0, 4);
  header.writeUInt8(spec.action ?? ruleActions.toTable, 7);
  if (table > 0) attributes.push({ type: fra.TABLE, value: u32(table) });
  if (spec.priority !== undefined) attributes.push({ type: fra.PRIORITY, value: u32(spec.priority) });
  if (spec.inputLink !== undefined) attributes.push({ type: fra.IIFNAME, value: text(spec.inputLink) });
  if (spec.outputLink !== undefined) attributes.push({ type: fra.OIFNAME, value: text(spec.outputLink) });
  if (spec.firewallMark !== undefined) attributes.push({ type: fra.FWMARK, value: u32(spec.firewallMark) });
  if (spec.firewallMask !== undefined) attributes.push({ type: fra.FWMASK, value: u32(spec.firewallMask) });
  return Buffer.concat([header, encodeAttributes(attributes)]);
}

/** @throws OsError `netlink/malformed`; `undefined` for families other than IP. */
export function decodeRule(payload: Buffer): Rule | undefined {
  if (payload.length < FIB_RULE_HDR) throw malformed("netlink", "a rule message: it is too short");
  const family = familyOfNumber(payload.readUInt8(0));
  if (family === undefined) return undefined;
  const attributes = parseAttributes(payload.subarray(FIB_RULE_HDR));
  const prefix = (type: number, offset: number): string | undefined => {
    const bytes = attributes.get(type);
    return bytes === undefined ? undefined : `${formatAddress(bytes)}/${String(payload.readUInt8(offset))}`;
  };
  return {
    family,
    destination: prefix(fra.DST, 1),
    source: prefix(fra.SRC, 2),
    table: readU32(attributes, fra.TABLE) ?? payload.readUInt8(4),
    priority: readU32(attributes, fra.PRIORITY) ?? 0,
    action: payload.readUInt8(7),
    inputLink: readText(attributes, fra.IIFNAME),
    outputLink: readText(attributes, fra.OIFNAME),
    firewallMark: readU32(attributes, fra.FWMARK) ?? 0,
    firewallMask: readU32(attributes, fra.FWMASK) ?? 0,
    protocol: readU8(attributes, fra.PROTOCOL) ?? 0,
  };
}
