/** Environments of expressions, by what they are about: the variables, functions and messages upstream declares. */

import { DiscoveredVolumeSpecSchema, DiskSpecSchema } from "@talos-ts/proto/resource/definitions/block";
import { LinkStatusSpecSchema } from "@talos-ts/proto/resource/definitions/network";
import type { ExpressionEnvironment } from "../check.ts";
import { functionsOf, type Functions } from "./functions.ts";
import { readMessages, type Messages } from "./messages.ts";
import { celType, declaredNames, type CelType } from "./type.ts";

export interface CelEnvironment extends Functions, Messages {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly hasOptionals: boolean;
  /** Type that the expression has to give. */
  readonly result: CelType;
}

type Variables = Readonly<Record<string, string>>;

const all = (names: readonly string[], type: string): Variables =>
  Object.fromEntries(names.map((name) => [name, type]));

const units = all(["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "kB", "MB", "GB", "TB", "PB", "EB"], "uint");
const classes = all(["Besteffort", "Burstable", "Guaranteed", "Podruntime", "System"], "int");

const pressure = ["some", "full"].flatMap((kind) =>
  ["avg10", "avg60", "avg300", "total"].map((window) => `memory_${kind}_${window}`),
);
const usage = ["memory_current", "memory_peak", "memory_max"];
const perClass = [...pressure, ...usage].flatMap((name) => [`qos_${name}`, `d_qos_${name}`]);

const disk = { disk: DiskSpecSchema.typeName };
const glob = ["string string -> bool"];

interface Definition {
  readonly variables: Variables;
  readonly functions?: Readonly<Record<string, readonly string[]>>;
  readonly messages?: Parameters<typeof readMessages>[0];
  readonly hasOptionals?: boolean;
  readonly result?: string;
}

const definitions: Readonly<Record<ExpressionEnvironment, Definition>> = {
  disk: {
    variables: { ...disk, system_disk: "bool", ...units },
    functions: { glob },
    messages: [DiskSpecSchema],
  },
  volume: {
    variables: { ...disk, volume: DiscoveredVolumeSpecSchema.typeName, ...units },
    messages: [DiscoveredVolumeSpecSchema, DiskSpecSchema],
  },
  link: {
    variables: { link: LinkStatusSpecSchema.typeName },
    functions: { glob, mac: ["bytes -> string"] },
    messages: [LinkStatusSpecSchema],
  },
  "oom-trigger": {
    variables: {
      ...all([...pressure, ...pressure.map((name) => `d_${name}`)], "double"),
      ...all(perClass, "map(int,double)"),
      time_since_trigger: "duration",
      ...units,
      ...classes,
    },
    functions: { multiply_qos_vectors: ["map(dyn,double) map(dyn,double) -> double"] },
    hasOptionals: true,
  },
  "oom-ranking": {
    variables: { ...all(usage, "optional_type(uint)"), path: "string", class: "int", ...units, ...classes },
    hasOptionals: true,
    result: "double",
  },
};

/** Names that stand for types. */
const typeNames = ["bool", "bytes", "double", "duration", "int", "null", "string", "timestamp", "type", "uint"];
const types: Variables = {
  ...Object.fromEntries(typeNames.map((name) => [declaredNames[name] ?? name, `type(${name})`])),
  list: "type(list(dyn))",
  map: "type(map(dyn,dyn))",
};

export function celEnvironment(about: ExpressionEnvironment): CelEnvironment {
  const { variables, functions = {}, messages = [], hasOptionals = false, result = "bool" } = definitions[about];
  return {
    ...functionsOf(functions, hasOptionals),
    ...readMessages(messages),
    variables: new Map(Object.entries({ ...types, ...variables }).map(([name, type]) => [name, celType(type)])),
    hasOptionals,
    result: celType(result),
  };
}
