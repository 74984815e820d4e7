/**
 * The functions every CEL environment has, and those of optional values, by name. Methods have their target first. The
 * order is that of cel-go: the first overload that fits decides what a type that is still open is.
 */

import { signature, type Signature } from "./type.ts";

export interface Functions {
  readonly functions: ReadonlyMap<string, readonly Signature[]>;
  readonly methods: ReadonlyMap<string, readonly Signature[]>;
}

type Table = Readonly<Record<string, readonly string[]>>;

const ordered = ["bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration"].map(
  (type) => `${type} ${type} -> bool`,
);
const arithmetic = (...types: readonly string[]): readonly string[] =>
  types.map((type) => `${type} ${type} -> ${type}`);
const from = (result: string, ...types: readonly string[]): readonly string[] =>
  types.map((type) => `${type} -> ${result}`);
const sized = from("int", "bytes", "list(A)", "map(A,B)", "string");
const matched = ["string string -> bool"];
const dated = ["timestamp -> int", "timestamp string -> int"];
const timed = [...dated, "duration -> int"];

const standardFunctions: Table = {
  "_?_:_": ["bool A A -> A"],
  "!_": ["bool -> bool"],
  "@not_strictly_false": ["bool -> bool"],
  "_==_": ["A A -> bool"],
  "_!=_": ["A A -> bool"],
  "_<_": ordered,
  "_<=_": ordered,
  "_>_": ordered,
  "_>=_": ordered,
  "_+_": [
    ...arithmetic("bytes", "double", "duration"),
    "duration timestamp -> timestamp",
    "timestamp duration -> timestamp",
    ...arithmetic("int", "list(A)", "string", "uint"),
  ],
  "_-_": [
    ...arithmetic("double", "duration", "int"),
    "timestamp duration -> timestamp",
    "timestamp timestamp -> duration",
    ...arithmetic("uint"),
  ],
  "_*_": arithmetic("double", "int", "uint"),
  "_/_": arithmetic("double", "int", "uint"),
  "_%_": arithmetic("int", "uint"),
  "-_": ["double -> double", "int -> int"],
  "_[_]": ["list(A) int -> A", "map(A,B) A -> B"],
  "@in": ["A list(A) -> bool", "A map(A,B) -> bool"],
  size: sized,
  matches: matched,
  type: ["A -> type(A)"],
  dyn: ["A -> dyn"],
  bool: from("bool", "bool", "string"),
  bytes: from("bytes", "bytes", "string"),
  double: from("double", "double", "int", "string", "uint"),
  duration: from("duration", "duration", "string"),
  int: from("int", "int", "double", "duration", "string", "timestamp", "uint"),
  string: from("string", "string", "bool", "bytes", "double", "duration", "int", "timestamp", "uint"),
  timestamp: from("timestamp", "timestamp", "int", "string"),
  uint: from("uint", "uint", "double", "int", "string"),
};

const standardMethods: Table = {
  size: sized,
  matches: matched,
  contains: matched,
  startsWith: matched,
  endsWith: matched,
  getDate: dated,
  getDayOfMonth: dated,
  getDayOfWeek: dated,
  getDayOfYear: dated,
  getFullYear: dated,
  getMonth: dated,
  getHours: timed,
  getMinutes: timed,
  getSeconds: timed,
  getMilliseconds: timed,
};

const optionalFunctions: Table = {
  "optional.of": ["A -> optional_type(A)"],
  "optional.ofNonZeroValue": ["A -> optional_type(A)"],
  "optional.none": ["-> optional_type(A)"],
  "optional.unwrap": ["list(optional_type(A)) -> list(A)"],
  "_[_]": [
    ...(standardFunctions["_[_]"] ?? []),
    "optional_type(list(A)) int -> optional_type(A)",
    "optional_type(map(A,B)) A -> optional_type(B)",
  ],
};

const optionalMethods: Table = {
  hasValue: ["optional_type(A) -> bool"],
  value: ["optional_type(A) -> A"],
  or: ["optional_type(A) optional_type(A) -> optional_type(A)"],
  orValue: ["optional_type(A) A -> A"],
  first: ["list(A) -> optional_type(A)"],
  last: ["list(A) -> optional_type(A)"],
  unwrapOpt: ["list(optional_type(A)) -> list(A)"],
};

const parsed = (...tables: readonly Table[]): ReadonlyMap<string, readonly Signature[]> =>
  new Map(tables.flatMap((table) => Object.entries(table)).map(([name, texts]) => [name, texts.map(signature)]));

/** @param own functions of the environment itself */
export function functionsOf(own: Table, hasOptionals: boolean): Functions {
  return {
    functions: parsed(standardFunctions, hasOptionals ? optionalFunctions : {}, own),
    methods: parsed(standardMethods, hasOptionals ? optionalMethods : {}),
  };
}
