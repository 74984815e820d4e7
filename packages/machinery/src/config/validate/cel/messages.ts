/** Fields and enumerations of protobuf messages as CEL sees them. */

import { ScalarType, type DescField, type DescFile, type DescMessage } from "@bufbuild/protobuf";
import { celType, dyn, listOf, mapOf, type CelType } from "./type.ts";

export interface Messages {
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, CelType>>;
  /** Full names of enumeration values, which are integers. */
  readonly enumValues: ReadonlySet<string>;
}

const scalars: Readonly<Record<ScalarType, string>> = {
  [ScalarType.DOUBLE]: "double",
  [ScalarType.FLOAT]: "double",
  [ScalarType.INT64]: "int",
  [ScalarType.INT32]: "int",
  [ScalarType.SINT32]: "int",
  [ScalarType.SINT64]: "int",
  [ScalarType.SFIXED32]: "int",
  [ScalarType.SFIXED64]: "int",
  [ScalarType.UINT64]: "uint",
  [ScalarType.UINT32]: "uint",
  [ScalarType.FIXED64]: "uint",
  [ScalarType.FIXED32]: "uint",
  [ScalarType.BOOL]: "bool",
  [ScalarType.STRING]: "string",
  [ScalarType.BYTES]: "bytes",
};

/** Messages that CEL has types for. */
const wellKnown: Readonly<Record<string, CelType>> = {
  "google.protobuf.Any": dyn,
  "google.protobuf.Duration": celType("duration"),
  "google.protobuf.Struct": celType("map(string,dyn)"),
  "google.protobuf.Timestamp": celType("timestamp"),
  "google.protobuf.Value": dyn,
};

/** The messages of the files of some, and of the files these import. */
export function readMessages(roots: readonly DescMessage[]): Messages {
  const files = new Set<DescFile>();
  const visit = (file: DescFile): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const dependency of file.dependencies) visit(dependency);
  };
  for (const { file } of roots) visit(file);
  const messages = [...files].flatMap((file) => file.messages.flatMap(withNested));
  const enums = [...[...files].flatMap((file) => file.enums), ...messages.flatMap(({ nestedEnums }) => nestedEnums)];
  return {
    fields: new Map(messages.map(({ typeName, fields }) => [typeName, new Map(fields.map(readField))])),
    enumValues: new Set(enums.flatMap(({ typeName, values }) => values.map(({ name }) => `${typeName}.${name}`))),
  };
}

function withNested(message: DescMessage): readonly DescMessage[] {
  return [message, ...message.nestedMessages.flatMap(withNested)];
}

function readField(field: DescField): readonly [string, CelType] {
  const { message, scalar } = field;
  const item =
    message !== undefined ? messageType(message) : scalar === undefined ? celType("int") : celType(scalars[scalar]);
  if (field.fieldKind === "list") return [field.name, listOf(item)];
  if (field.fieldKind === "map") return [field.name, mapOf(celType(scalars[field.mapKey]), item)];
  return [field.name, item];
}

function messageType({ typeName }: DescMessage): CelType {
  return wellKnown[typeName] ?? { name: typeName, of: [] };
}
