import {
  create,
  fromBinary,
  fromJson,
  ScalarType,
  toBinary,
  type DescField,
  type DescMessage,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { compileCel } from "../cel/index.ts";
import type { Random } from "@talos-ts/base/testing";

/** Share of a message that is set: all fields to something, or some of them, sometimes to zero. */
export type Density = "full" | "sparse";

/** A random message of any type of this package's resources, with values that make sense where sense is asked for. */
export function randomMessage(desc: DescMessage, random: Random, density: Density): Message {
  const special = specialMessages[desc.typeName];
  if (special !== undefined) return special(desc, random);
  const message = create(desc);
  const target = reflect(desc, message);
  for (const field of desc.fields) setField(target, field, random, density);
  return message;
}

function setField(target: ReflectMessage, field: DescField, random: Random, density: Density): void {
  if (density === "sparse" && random.below(3) === 0) return;
  if (field.fieldKind === "list") {
    const items = target.get(field);
    for (let count = 1 + random.below(3); count > 0; count--) items.add(element(field, random, density));
  } else if (field.fieldKind === "map") {
    const items = target.get(field);
    for (const key of ["b", "a10", "a2", "__proto__"]) items.set(key, element(field, random, density));
  } else {
    const value = element(field, random, density);
    // An empty message and none at all are the same to most specs, which have no pointer there.
    if (field.message === undefined || !isEmpty(value as ReflectMessage)) target.set(field, value);
  }
}

function isEmpty({ desc, message }: ReflectMessage): boolean {
  return toBinary(desc, message).length === 0;
}

function element(field: DescField, random: Random, density: Density): unknown {
  if (field.message !== undefined) return reflect(field.message, randomMessage(field.message, random, density));
  if (field.enum !== undefined)
    return randomEnum(
      field.enum.values.map((value) => value.number),
      random,
    );
  // Bits without a name do not survive, so sets of bits get one that all of them name.
  if (field.name === "flags") return 256;
  return field.scalar === undefined ? undefined : randomScalar(field.scalar, random, density);
}

function randomEnum(numbers: readonly number[], random: Random): number {
  const known = numbers.filter((number) => number !== 0);
  const [first = 1, ...others] = known;
  return random.pick([first, ...others, 77]);
}

/** Values of every scalar type the specs use, zero first. */
const scalars = new Map<ScalarType, readonly [zero: unknown, ...others: unknown[]]>([
  [ScalarType.BOOL, [false, true]],
  [ScalarType.STRING, ["", "alpha", "true", "10.5.0.2", "é\n"]],
  [ScalarType.BYTES, [new Uint8Array(0), Uint8Array.of(80, 69, 77), Uint8Array.of(120)]],
  [ScalarType.DOUBLE, [0, 1.5, -0.25, 1e21]],
  [ScalarType.INT32, [0, 1, -5, 1 << 30]],
  [ScalarType.INT64, [0n, 1n, -5n, 1n << 40n]],
  [ScalarType.UINT32, [0, 1, 7, 2 ** 31]],
  [ScalarType.UINT64, [0n, 1n, 7n, 1n << 45n]],
]);

function randomScalar(type: ScalarType, random: Random, density: Density): unknown {
  const [zero, ...others] = scalars.get(type) ?? [undefined];
  return density === "sparse" && random.below(4) === 0 ? zero : others[random.below(others.length)];
}

const addresses = [
  Uint8Array.of(10, 5, 0, 2),
  Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
  Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 1, 2, 3, 4),
] as const;

const expressions = [
  'disk.transport == "nvme" && !system_disk',
  "disk.size > 10u * GiB && (disk.rotational || disk.readonly)",
  'disk.symlinks.exists(s, s == "/dev/x") ? true : disk.size % 2u == 1u',
] as const;

const objects: readonly [JsonValue, ...JsonValue[]] = [
  { kind: "Policy", rules: [{ level: "None" }, null, 1.5, true], nested: { b: 1, a: {} } },
  { apiVersion: "v1", __proto__: "x" },
];

type Special = (desc: DescMessage, random: Random) => Message;

/** Messages whose fields belong together. */
const specialMessages: Readonly<Record<string, Special>> = {
  "common.NetIP": (desc, random) => create(desc, { ip: random.pick(addresses) }),
  "common.NetIPPort": (desc, random) => create(desc, { ip: random.pick(addresses), port: random.below(65_536) }),
  "common.NetIPPrefix": (desc, random) => create(desc, { ip: random.pick(addresses), prefixLength: random.below(33) }),
  "google.api.expr.v1alpha1.CheckedExpr": (desc, random) =>
    fromBinary(desc, compileCel(random.pick(expressions)).checked),
  "google.protobuf.Duration": (desc, random) =>
    create(desc, { seconds: BigInt(random.below(1e6)), nanos: random.below(1e9) }),
  "google.protobuf.Struct": (desc, random) => fromJson(desc, random.pick(objects)),
  "google.protobuf.Timestamp": (desc, random) =>
    create(desc, { seconds: 1_700_000_000n + BigInt(random.below(1e6)), nanos: random.below(1e6) * 1e3 }),
  "resource.network.DeviceConfigSpecSpec": (desc) =>
    create(desc, { yamlMarshalled: new Uint8Array(Buffer.from("interface: eth0\ndhcp: true\n")) }),
};
