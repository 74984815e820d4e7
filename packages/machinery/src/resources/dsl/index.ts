export { list, map, optional } from "./collections.ts";
export { defineResource, type SpecOf, type TypedResource } from "./define.ts";
export { enumOf, flagsOf, type EnumCodec, type FlagsCodec } from "./enum.ts";
export {
  convert,
  printedAs,
  single,
  type Body,
  type InitOf,
  type FieldCodec,
  type Single,
  type ValueOf,
} from "./field-codec.ts";
export { field, inline, message, nothing, omitEmpty, wrapped, type Field, type Fields } from "./message.ts";
export { bool, bytes, double, int32, int64, text, uint32, uint64 } from "./scalars.ts";
