import { hasErrno } from "../ffi/errno.ts";
import { parseAttributeList, parseAttributes, type Attribute, type Attributes } from "../netlink/attributes.ts";
import { openGeneric } from "../netlink/generic.ts";
import { readText, readU32, text, u32, u8 } from "../netlink/values.ts";
import { channelFields, ringFields, type Ethernet, type EthernetFeature } from "./ethernet.ts";

/** ETHTOOL_MSG_* */
const messages = {
  wolGet: 9,
  wolSet: 10,
  featuresGet: 11,
  featuresSet: 12,
  ringsGet: 15,
  ringsSet: 16,
  channelsGet: 17,
  channelsSet: 18,
} as const;

const HEADER = 1;
const DEV_INDEX = 1;
const features = { HW: 2, WANTED: 3, ACTIVE: 4, NOCHANGE: 5 } as const;
const bitset = { NOMASK: 1, BITS: 3, BIT: 1, INDEX: 1, NAME: 2, VALUE: 3 } as const;
const WOL_MODES = 2;

/** Attributes begin after the header: numbers of fields in the order of the kernel's enumeration. */
const firstField = 2;
/** Rings that the kernel keeps in one byte. */
const byteRings: ReadonlySet<string> = new Set(["tcpDataSplit", "txPush", "rxPush"]);

function readFields<F extends string>(
  fields: readonly F[],
  attributes: Attributes,
): Readonly<Partial<Record<F, number>>> {
  const found = fields.flatMap((field, index) => {
    const bytes = attributes.get(firstField + index);
    return bytes === undefined ? [] : [[field, bytes.length === 1 ? bytes.readUInt8() : bytes.readUInt32LE()] as const];
  });
  return Object.fromEntries(found) as Readonly<Partial<Record<F, number>>>;
}

function writeFields(
  fields: readonly string[],
  values: Readonly<Record<string, number | undefined>>,
): readonly Attribute[] {
  return Object.entries(values).flatMap(([field, value]): readonly Attribute[] => {
    const type = firstField + fields.indexOf(field);
    return value === undefined ? [] : [{ type, value: byteRings.has(field) ? u8(value) : u32(value) }];
  });
}

interface Bit {
  readonly index: number;
  readonly name: string;
  readonly on: boolean;
}

/** The bits of a set in the long form. A set without a mask lists those that are on; one with a mask lists all of it. */
function readBits(set: Buffer | undefined): readonly Bit[] {
  const attributes = parseAttributes(set ?? Buffer.alloc(0));
  const onlyOn = attributes.has(bitset.NOMASK);
  return parseAttributeList(attributes.get(bitset.BITS) ?? Buffer.alloc(0)).map(([, value]) => {
    const bit = parseAttributes(value);
    return {
      index: readU32(bit, bitset.INDEX) ?? 0,
      name: readText(bit, bitset.NAME) ?? "",
      on: onlyOn || bit.has(bitset.VALUE),
    };
  });
}

function readFeatures(attributes: Attributes): readonly EthernetFeature[] {
  const indexes = (type: number): ReadonlySet<number> =>
    new Set(readBits(attributes.get(type)).flatMap(({ index, on }) => (on ? [index] : [])));
  const [wanted, active, fixed] = [indexes(features.WANTED), indexes(features.ACTIVE), indexes(features.NOCHANGE)];
  return readBits(attributes.get(features.HW)).map(({ index, name, on }) => ({
    name,
    active: active.has(index),
    requested: wanted.has(index),
    fixed: !on || fixed.has(index),
  }));
}

/** Ethtool over generic netlink of the running kernel. */
export function createLinuxEthernet(networkNamespace?: string): Ethernet {
  const generic = openGeneric("ethtool", networkNamespace);
  const header = (linkIndex: number): Attribute => ({
    type: HEADER,
    value: [{ type: DEV_INDEX, value: u32(linkIndex) }],
  });
  const get = async (command: number, linkIndex: number, what: string): Promise<Attributes | undefined> => {
    const action = `read ${what} of link ${String(linkIndex)}`;
    try {
      const [answer] = await generic.call({ command, attributes: [header(linkIndex)], action });
      return answer === undefined ? undefined : parseAttributes(answer);
    } catch (err) {
      if (hasErrno(err, "EOPNOTSUPP")) return undefined;
      throw err;
    }
  };
  const set = async (command: number, linkIndex: number, what: string, values: readonly Attribute[]): Promise<void> => {
    if (values.length === 0) return;
    const action = `change ${what} of link ${String(linkIndex)}`;
    await generic.call({ command, attributes: [header(linkIndex), ...values], action });
  };
  const bits = (all: readonly (readonly Attribute[])[]): Attribute => ({
    type: bitset.BITS,
    value: all.map((value) => ({ type: bitset.BIT, value })),
  });
  const none = Buffer.alloc(0);

  return {
    async settings(linkIndex) {
      const found = await get(messages.featuresGet, linkIndex, "features");
      const rings = await get(messages.ringsGet, linkIndex, "rings");
      const channels = await get(messages.channelsGet, linkIndex, "channels");
      const wake = await get(messages.wolGet, linkIndex, "wake-on-LAN");
      return {
        features: found === undefined ? [] : readFeatures(found),
        rings: rings === undefined ? undefined : readFields(ringFields, rings),
        channels: channels === undefined ? undefined : readFields(channelFields, channels),
        wakeOnLan: wake === undefined ? undefined : wakeBits(wake.get(WOL_MODES)),
      };
    },
    async change(linkIndex, { features: wanted = {}, rings, channels, wakeOnLan }) {
      const listed = Object.entries(wanted).map(([name, on]): readonly Attribute[] => {
        const bit: Attribute = { type: bitset.NAME, value: text(name) };
        return on ? [bit, { type: bitset.VALUE, value: none }] : [bit];
      });
      const asked = listed.length === 0 ? [] : [{ type: features.WANTED, value: [bits(listed)] }];
      await set(messages.featuresSet, linkIndex, "features", asked);
      await set(messages.ringsSet, linkIndex, "rings", writeFields(ringFields, rings ?? {}));
      await set(messages.channelsSet, linkIndex, "channels", writeFields(channelFields, channels ?? {}));
      if (wakeOnLan === undefined) return;
      const modes = Array.from({ length: 8 }, (_, index) => index).filter((index) => (wakeOnLan & (1 << index)) !== 0);
      const on = modes.map((index): readonly Attribute[] => [{ type: bitset.INDEX, value: u32(index) }]);
      const value = [{ type: bitset.NOMASK, value: none }, bits(on)];
      await set(messages.wolSet, linkIndex, "wake-on-LAN", [{ type: WOL_MODES, value }]);
    },
    [Symbol.dispose]: () => generic[Symbol.dispose](),
  };
}

function wakeBits(set: Buffer | undefined): number {
  return readBits(set).reduce((mode, { index, on }) => (on ? mode | (1 << index) : mode), 0);
}
