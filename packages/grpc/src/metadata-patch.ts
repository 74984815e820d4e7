import type { Field } from "@talos-ts/http2";
import { addMetadata, fieldTags, tagOf } from "./internal/headers.ts";
import { Metadata, type MetadataInit } from "./metadata.ts";

/** Changes to the metadata of calls that are forwarded, prepared once for many of them. */
export class MetadataPatch {
  readonly #names: ReadonlySet<string>;
  readonly #fields: readonly Field[];

  /**
   * @param set keys whose values replace those of the caller
   * @param remove further keys that are not forwarded
   *
   * @throws {OsError} `grpc/bad-metadata`.
   */
  constructor(set: MetadataInit, remove: readonly string[] = []) {
    const metadata = new Metadata(set);
    const fields: Field[] = [];
    addMetadata(fields, metadata);
    this.#names = new Set([...metadata.keys(), ...remove]);
    this.#fields = fields;
  }

  /** The metadata fields of a received header list, with the changes. */
  apply(received: readonly Field[]): Field[] {
    const fields: Field[] = [];
    for (const field of received) {
      if (tagOf(field) <= fieldTags.binary && !this.#names.has(field.name)) fields.push(field);
    }
    for (const field of this.#fields) fields.push(field);
    return fields;
  }
}

/** Changes nothing. */
export const emptyPatch = new MetadataPatch({});
