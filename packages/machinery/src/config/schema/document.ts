/** A document kind: its fields plus what only documents have (name, conflicts, validation). */

import type { Check } from "../validate/check.ts";
import { string } from "./scalars.ts";
import { property, object, type Property, type Infer, type ObjectType } from "./type.ts";

/** Definition of a kind of document: its fields, its validation and its documentation. */
export interface DocumentSchema<T = unknown> {
  /** `kind` as written; the main document, which has none, is called `v1alpha1`. */
  readonly kind: string;
  readonly apiVersion: string;
  readonly named: boolean;
  readonly type: ObjectType<T>;
  /** Left out of the JSON schema. */
  readonly hidden: boolean;
  /** Kinds that may not carry the same name next to this one. */
  readonly conflictsWith: readonly string[];
  /** A method, not a property: schemas of all kinds must fit one list. */
  validate?(value: T, check: Check): void;
}

export interface DocumentInit<F extends Readonly<Record<string, Property<unknown>>>> {
  readonly kind: string;
  /** Name in the JSON schema. */
  readonly schemaName: string;
  readonly doc: string;
  /** Meaning of the name; absent for kinds of which there is one. */
  readonly name?: string;
  /** True when the JSON schema asks for the name. */
  readonly nameOptional?: boolean;
  readonly fields: F;
  readonly conflictsWith?: readonly string[];
  /** The kind the published JSON schema asks for, where it differs from the one that loads. */
  readonly schemaKind?: string;
  /** Left out of the JSON schema, as in the published one. */
  readonly hidden?: boolean;
  readonly validate?: (value: DocumentValue<F>, check: Check) => void;
}

type DocumentValue<F extends Readonly<Record<string, Property<unknown>>>> = {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
} & { readonly [K in keyof F]?: Infer<F[K]["type"]> | undefined };

export function document<F extends Readonly<Record<string, Property<unknown>>>>(
  init: DocumentInit<F>,
): DocumentSchema<DocumentValue<F>> {
  const fields: Record<string, Property<unknown>> = {
    apiVersion: property(string({ values: ["v1alpha1"] }), "Version of the document, always v1alpha1.", meta),
    kind: property(string({ values: [init.schemaKind ?? init.kind] }), `Kind of the document, ${init.kind}.`, meta),
  };
  if (init.name !== undefined) {
    fields["name"] = property(string(), init.name, { always: true, required: init.nameOptional !== true });
  }
  return {
    kind: init.kind,
    apiVersion: "v1alpha1",
    named: init.name !== undefined,
    // The meta fields are ours alone to add, so the joined type is known here and nowhere else.
    type: object(init.schemaName, init.doc, { ...fields, ...init.fields }),
    hidden: init.hidden ?? false,
    conflictsWith: init.conflictsWith ?? [],
    ...(init.validate === undefined ? {} : { validate: init.validate }),
  };
}

const meta = { always: true, required: true } as const;

/** The value of a document kind. */
export type DocumentOf<S> = S extends DocumentSchema<infer T> ? T : never;
