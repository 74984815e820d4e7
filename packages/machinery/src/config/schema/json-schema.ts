/** The JSON schema of all documents, for editors and other tools. */

import type { DocumentSchema } from "./document.ts";
import type { Json } from "./json.ts";
import type { Property, ObjectType, Type } from "./type.ts";

type Definitions = Map<string, Json>;

/** @param documents hidden ones are left out */
export function jsonSchema(documents: readonly DocumentSchema[], version: string): Json {
  const definitions: Definitions = new Map([["v1alpha1.Endpoint", emptyObject]]);
  const roots = documents
    .filter((document) => !document.hidden)
    .map((document) => typeSchema(document.type, definitions));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `https://talos.dev/${version}/schemas/config.schema.json`,
    $defs: Object.fromEntries([...definitions].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    oneOf: roots.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)),
  };
}

const emptyObject: Json = { properties: {}, additionalProperties: false, type: "object" };

function typeSchema(type: Type<unknown>, definitions: Definitions): Json {
  switch (type.is) {
    case "scalar":
      return type.json;
    case "array":
      return type.json ?? { items: typeSchema(type.item, definitions), type: "array" };
    case "dictionary":
      return type.json ?? { additionalProperties: typeSchema(type.item, definitions), type: "object" };
    case "any":
      return type.json ?? { type: "object" };
    case "argument":
      return { oneOf: [{ type: "string" }, { items: { type: "string" }, type: "array" }] };
    case "object":
    default:
      return objectReference(type, definitions);
  }
}

function objectReference(type: ObjectType<unknown>, definitions: Definitions): Json {
  const { name } = type;
  if (name === undefined) return type.json ?? objectSchema(type, definitions);
  if (!definitions.has(name)) {
    definitions.set(name, {});
    definitions.set(name, objectSchema(type, definitions));
  }
  return type.json ?? { $ref: `#/$defs/${name}` };
}

function objectSchema(type: ObjectType<unknown>, definitions: Definitions): Json {
  const fields = Object.entries(type.fields).filter(([, field]) => isPublished(field));
  const required = fields.filter(([, field]) => field.required === true).map(([key]) => key);
  return {
    properties: Object.fromEntries(
      fields.map(([key, field]) => [key, describe(typeSchema(field.type, definitions), field)] as const),
    ),
    additionalProperties: false,
    type: "object",
    ...(required.length > 0 ? { required: required.toSorted() } : {}),
    ...(type.doc === "" ? {} : { description: type.doc }),
  };
}

/** Deprecated fields still load, but nobody should be led to them. */
export function isPublished(field: Property<unknown>): boolean {
  return field.hidden !== true && field.deprecated === undefined;
}

function describe(schema: Json, { doc }: Property<unknown>): Json {
  return doc === "" ? schema : { ...(schema as { readonly [key: string]: Json }), description: doc };
}
