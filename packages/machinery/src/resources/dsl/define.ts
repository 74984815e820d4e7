import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import { describeError, OsError } from "@talos-ts/base";
import type { PrintColumn, ResourceType, ResourceTypeInfo, Sensitivity, SpecCodec } from "@talos-ts/cosi";
import type { Body, InitOf } from "./field-codec.ts";
import { message, type Fields, type MessageCodec } from "./message.ts";

/** A resource type with everything that is known about it: what a node registers, and its spec. */
export interface TypedResource<S = unknown, I = unknown> extends ResourceType<S>, ResourceTypeInfo {
  readonly aliases: readonly string[];
  readonly printColumns: readonly PrintColumn[];
  readonly sensitivity: Sensitivity;
  /** Codec of the spec as a protobuf message. */
  readonly body: Body<S, I>;
  /** A spec with everything that is not given set to zero. */
  spec(init?: I): S;
}

/** Spec of a resource type. */
export type SpecOf<D extends TypedResource> = D["body"]["zero"];

type SpecShape = Fields | Body<unknown, unknown>;
type CodecOf<X> = X extends Body<unknown, unknown> ? X : X extends Fields ? MessageCodec<X> : never;

interface DefinitionInit<X extends SpecShape, Id extends string, Ids extends Readonly<Record<string, string>>> {
  readonly type: string;
  readonly namespace: string;
  /** Sensitive resources are for administrators only. */
  readonly sensitivity?: "sensitive";
  /** Names beside those that follow from the type. */
  readonly aliases?: readonly string[];
  /** True when the type is found by its canonical name and the given aliases only. */
  readonly skipAutomaticAliases?: true;
  /** Heading and JSONPath (into the printed spec) of the extra columns of `talosctl get`. */
  readonly columns?: readonly (readonly [name: string, jsonPath: string])[];
  /** The id of the only resource of this type. */
  readonly id?: Id;
  /** The ids every reader of this type knows. */
  readonly ids?: Ids;
  readonly spec: X;
}

type Defined<K, Id, Ids> =
  K extends Body<infer S, unknown>
    ? TypedResource<S, InitOf<K>> & { readonly body: K; readonly id: Id; readonly ids: Ids }
    : never;

/** States a resource type; everything else about it follows from the statement. */
export function defineResource<
  X extends SpecShape,
  const Id extends string = never,
  const Ids extends Readonly<Record<string, string>> = never,
>(init: DefinitionInit<X, Id, Ids>): Defined<CodecOf<X>, Id, Ids> {
  const body: Body<unknown, unknown> = isBody(init.spec) ? init.spec : message(init.spec);
  const definition = {
    type: init.type,
    namespace: init.namespace,
    defaultNamespace: init.namespace,
    sensitivity: init.sensitivity ?? "",
    aliases: init.aliases ?? [],
    skipAutomaticAliases: init.skipAutomaticAliases ?? false,
    printColumns: (init.columns ?? []).map(([name, jsonPath]) => ({ name, jsonPath })),
    id: init.id,
    ids: init.ids ?? {},
    body,
    codec: codecOf(init.type, body),
    spec: (partial: unknown) => (partial === undefined ? body.zero : body.fill(partial)),
  };
  return definition as unknown as Defined<CodecOf<X>, Id, Ids>;
}

function isBody(spec: SpecShape): spec is Body<unknown, unknown> {
  return typeof spec["readBody"] === "function";
}

function codecOf(type: string, body: Body<unknown, unknown>): SpecCodec<unknown> {
  return {
    encode(spec) {
      try {
        const writer = new BinaryWriter();
        body.writeBody(writer, spec);
        return writer.finish();
      } catch (cause) {
        throw new OsError({
          kind: "invalid-argument",
          code: "resource/unencodable-spec",
          message: `Encoding a spec of ${type} failed: ${describeError(cause)}`,
          cause,
        });
      }
    },
    decode(bytes) {
      try {
        return body.readBody(new BinaryReader(bytes), bytes.length);
      } catch (cause) {
        throw new OsError({
          kind: "invalid-argument",
          code: "resource/malformed-spec",
          message: `Decoding ${bytes.length} bytes as a spec of ${type} failed: ${describeError(cause)}`,
          cause,
        });
      }
    },
    toPlain: (spec) => body.toPlain(spec),
  };
}
