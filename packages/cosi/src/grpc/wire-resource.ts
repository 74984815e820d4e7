import { create } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs, type Timestamp } from "@bufbuild/protobuf/wkt";
import { OsError } from "@talos-ts/base";
import {
  ResourceSchema,
  type Metadata as WireMetadata,
  type Resource as WireResource,
} from "@talos-ts/proto/cosi/resource";
import type { ResourceRegistry } from "../registry.ts";
import type { Metadata, Phase, RawSpec, Resource } from "../resource.ts";
import { isTombstone } from "../state/tombstone.ts";

/** Turns resources into messages and back. */
export interface WireCodec {
  encode(resource: Resource): WireResource;
  /** @throws {OsError} `cosi/malformed` */
  decode(message: WireResource | undefined): Resource;
}

export interface WireCodecOptions {
  /** The form of a plain spec that people read, if specs of registered types are also to travel in it. @default none */
  readonly yaml?: (plain: unknown) => string;
}

/**
 * Specs of registered types are decoded; all others stay `RawSpec`, so that a resource passes through programs that do
 * not know its type. What a resource looks like on the wire is worked out once, however many readers it has.
 */
export function createWireCodec(registry: ResourceRegistry, { yaml }: WireCodecOptions = {}): WireCodec {
  const encoded = new WeakMap<Resource, WireResource>();

  function encodeSpec(resource: Resource): { protoSpec: Uint8Array; yamlSpec: string } {
    const { spec, metadata } = resource;
    if (isTombstone(resource)) return { protoSpec: new Uint8Array(), yamlSpec: "" };
    const type = registry.find(metadata.type);
    if (type !== undefined) {
      const { codec } = type;
      return { protoSpec: codec.encode(spec), yamlSpec: yaml?.(codec.toPlain(spec)) ?? "" };
    }
    if (isRawSpec(spec)) return { protoSpec: spec.proto, yamlSpec: spec.yaml };
    throw new OsError({
      kind: "internal",
      code: "cosi/type-unknown",
      message: `Cannot encode a resource of type "${metadata.type}": the type is not registered`,
    });
  }

  return {
    encode(resource) {
      let message = encoded.get(resource);
      if (message === undefined) {
        message = create(ResourceSchema, { metadata: encodeMetadata(resource.metadata), spec: encodeSpec(resource) });
        encoded.set(resource, message);
      }
      return message;
    },
    decode(message) {
      if (message?.metadata === undefined) throw malformed("metadata is missing");
      if (message.spec === undefined) throw malformed("spec is missing");
      const metadata = decodeMetadata(message.metadata);
      const { protoSpec, yamlSpec } = message.spec;
      const type = registry.find(metadata.type);
      const spec = type === undefined ? { proto: protoSpec, yaml: yamlSpec } : type.codec.decode(protoSpec);
      return { metadata, spec };
    },
  };
}

const undefinedVersion = "undefined";

function encodeMetadata(metadata: Metadata): Omit<WireMetadata, "$typeName" | "$unknown"> {
  return {
    namespace: metadata.namespace,
    type: metadata.type,
    id: metadata.id,
    version: metadata.version === 0 ? undefinedVersion : String(metadata.version),
    owner: metadata.owner,
    phase: metadata.phase,
    created: timestampFromMs(metadata.created),
    updated: timestampFromMs(metadata.updated),
    finalizers: [...metadata.finalizers],
    labels: { ...metadata.labels },
    annotations: { ...metadata.annotations },
  };
}

export function decodeMetadata(message: WireMetadata): Metadata {
  return {
    namespace: message.namespace,
    type: message.type,
    id: message.id,
    version: decodeVersion(message.version),
    owner: message.owner,
    phase: decodePhase(message.phase),
    created: decodeTime(message.created),
    updated: decodeTime(message.updated),
    finalizers: [...new Set(message.finalizers)],
    labels: message.labels,
    annotations: message.annotations,
  };
}

/** @throws {OsError} `cosi/malformed` */
export function decodePhase(text: string): Phase {
  if (text === "running" || text === "tearingDown") return text;
  throw malformed(`unknown phase: ${text}`);
}

function decodeVersion(text: string): number {
  const version = text === undefinedVersion ? 0 : Number(text);
  if (text === "" || !Number.isSafeInteger(version) || version < 0) {
    throw malformed(`error parsing version: ${JSON.stringify(text)}`);
  }
  return version;
}

function decodeTime(time: Timestamp | undefined): number {
  return time === undefined ? 0 : timestampMs(time);
}

function isRawSpec(spec: unknown): spec is RawSpec {
  return typeof spec === "object" && spec !== null && "proto" in spec && "yaml" in spec;
}

function malformed(message: string): OsError {
  return new OsError({ kind: "invalid-argument", code: "cosi/malformed", message });
}
