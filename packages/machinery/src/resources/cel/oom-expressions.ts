import {
  celEnv,
  celFunc,
  celMethod,
  CelScalar,
  celUint,
  isCelError,
  isCelUint,
  listType,
  mapType,
  parse,
  plan,
  type CelInput,
} from "@bufbuild/cel";
import { create } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { OsError } from "@talos-ts/base";
import { celUnits } from "./cel-units.ts";

/** Classes of control groups, as numbers that expressions have names for; the lower, the less important. */
export const cgroupClasses = { Besteffort: 0, Burstable: 1, Guaranteed: 2, Podruntime: 3, System: 4 } as const;
export type CgroupClass = keyof typeof cgroupClasses;

/** Variables of a trigger: numbers of the whole machine, and numbers by class. */
export interface OOMTriggerValues {
  readonly root: Readonly<Record<string, number>>;
  readonly perClass: Readonly<Record<string, Readonly<Partial<Record<CgroupClass, number>>>>>;
  readonly sinceTriggerMs: number;
}

/** A control group to rank. Sizes are in bytes, and `undefined` where there is no limit or nothing is known. */
export interface OOMCgroup {
  readonly class: CgroupClass;
  readonly path: string;
  readonly memoryCurrent: number | undefined;
  readonly memoryPeak: number | undefined;
  readonly memoryMax: number | undefined;
}

type Activation = Readonly<Record<string, CelInput>>;
type Evaluate = (activation: Activation) => unknown;

const classNumbers: Activation = Object.fromEntries(
  Object.entries(cgroupClasses).map(([name, value]) => [name, BigInt(value)]),
);

/** An optional value is a list with one item or none. */
const optional = listType(CelScalar.DYN);
const numbersByClass = mapType(CelScalar.DYN, CelScalar.DOUBLE);

const functions = [
  celMethod("hasValue", optional, [], CelScalar.BOOL, function hasValue() {
    return this.size > 0;
  }),
  celMethod("value", optional, [], CelScalar.DYN, function value() {
    const item = this.get(0);
    if (item === undefined) throw new Error("optional.none() dereference");
    return item;
  }),
  celMethod("orValue", optional, [CelScalar.DYN], CelScalar.DYN, function orValue(other) {
    return this.get(0) ?? other;
  }),
  celFunc("multiply_qos_vectors", [numbersByClass, numbersByClass], CelScalar.DOUBLE, (left, right) => {
    let sum = 0;
    for (const [key, value] of left) {
      const factor = right.get(key);
      if (typeof value === "number" && typeof factor === "number") sum += value * factor;
    }
    return sum;
  }),
];

/**
 * Makes a function of a trigger expression: whether memory counts as exhausted.
 *
 * @throws {OsError} `resource/expression-failed` now when the text is not CEL, later when it gives no boolean
 */
export function oomTrigger(text: string): (values: OOMTriggerValues) => boolean {
  const evaluate = planned(text);
  return ({ root, perClass, sinceTriggerMs }) => {
    const seconds = BigInt(Math.floor(sinceTriggerMs / 1000));
    const nanos = Math.floor(sinceTriggerMs % 1000) * 1_000_000;
    const maps = Object.entries(perClass).map(([name, values]) => [
      name,
      new Map(Object.entries(values).map(([key, value]) => [BigInt(cgroupClasses[key as CgroupClass]), value])),
    ]);
    const since = create(DurationSchema, { seconds, nanos });
    const result = evaluate({ ...root, ...Object.fromEntries(maps), time_since_trigger: since } as Activation);
    if (typeof result === "boolean") return result;
    throw failed(text, isCelError(result) ? result : "expected a boolean");
  };
}

/**
 * Makes a function of a ranking expression: the rank of a control group; those above 0 may be ended, the highest first.
 *
 * @throws {OsError} `resource/expression-failed` now when the text is not CEL, later when it gives no double
 */
export function oomRanking(text: string): (cgroup: OOMCgroup) => number {
  const evaluate = planned(text);
  const size = (bytes: number | undefined): CelInput => (bytes === undefined ? [] : [celUint(BigInt(bytes))]);
  return ({ path, memoryCurrent, memoryPeak, memoryMax, class: name }) => {
    const result = evaluate({
      path,
      class: BigInt(cgroupClasses[name]),
      memory_current: size(memoryCurrent),
      memory_peak: size(memoryPeak),
      memory_max: size(memoryMax),
    });
    if (typeof result === "number") return result;
    throw failed(text, isCelError(result) || isCelUint(result) ? String(result) : "expected a double");
  };
}

function planned(text: string): Evaluate {
  try {
    const evaluate = plan(celEnv({ funcs: functions }), parse(text));
    return (activation) => evaluate({ ...celUnits, ...classNumbers, ...activation });
  } catch (cause) {
    throw failed(text, cause);
  }
}

function failed(text: string, cause: unknown): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "resource/expression-failed",
    message: `Evaluating ${JSON.stringify(text)} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause,
    next: "talosctl edit machineconfig",
  });
}
