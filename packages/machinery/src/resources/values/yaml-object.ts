import { parse, stringify } from "yaml";
import { convert, type Single } from "../dsl/index.ts";
import { textAsBytes } from "./bytes.ts";
import type { JsonObject } from "./struct.ts";

/** An object that travels as YAML text. */
export const yamlObject: Single<JsonObject> = convert(textAsBytes, {
  zero: Object.freeze({}),
  isZero: (value) => Object.keys(value).length === 0,
  from(value) {
    const parsed: unknown = parse(value);
    if (typeof parsed !== "object" || Array.isArray(parsed)) throw new TypeError("YAML is not a mapping");
    return (parsed ?? {}) as JsonObject;
  },
  to: (value) => stringify(value, { indent: 4 }),
});
