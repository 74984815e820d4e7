import { templateError } from "../template/template-error.ts";
import type { TemplateObject, TemplateValue } from "../template/values.ts";
import { parseValue, show, showBytes, showMicroseconds, showShare, type Value } from "./value.ts";

/** A number of a control group in a template, with the methods that schemas of Talos call. */
export interface CgroupNumber extends TemplateObject {
  readonly value: Value;
  text(): string;
}

/** @param written As the kernel writes it, which keeps the digits behind the point. */
export function cgroupNumber(written: string | undefined): CgroupNumber {
  const value = parseValue(written);
  const text = (): string => (value === undefined ? show(value) : (written?.trim() ?? ""));
  const isWhole = typeof value === "number" && !text().includes(".");
  const methods: Readonly<Record<string, (args: readonly TemplateValue[]) => TemplateValue>> = {
    String: text,
    HumanizeIBytes: () => (isWhole ? showBytes(value) : text()),
    UsecToDuration: () => showMicroseconds(value),
    Float64: () => (value === "max" ? Infinity : (value ?? NaN)),
    DivideBy([other]) {
      if (!isNumber(other)) throw templateError("DivideBy wants a value of a control group");
      const share = showShare(value, other.value);
      return cgroupNumber(share === show(undefined) ? undefined : share);
    },
    IsSet: () => value !== undefined,
    IsMax: () => value === "max",
  };
  return {
    value,
    text,
    member(name, args) {
      const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
      if (method !== undefined) return method(args);
      throw templateError(`can't evaluate field ${name}, expected one of ${Object.keys(methods).join(", ")}`);
    },
  };
}

function isNumber(value: TemplateValue): value is CgroupNumber {
  return typeof value === "object" && "value" in value;
}
