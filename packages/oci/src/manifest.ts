import { isRecord, OsError } from "@talos-ts/base";
import { isDigest } from "./digest.ts";
import { isIndexType, isManifestType, mediaTypes } from "./media-types.ts";

export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
}

/** Names a blob by its digest. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly platform?: Platform;
}

export interface ImageManifest {
  readonly kind: "manifest";
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

export interface ImageIndex {
  readonly kind: "index";
  readonly manifests: readonly Descriptor[];
}

/** Larger documents are refused: a registry that sends one is broken or hostile. */
export const maxManifestBytes = 8 * 1024 * 1024;
const maxEntries = 4096;

/**
 * Reads the bytes of a manifest or an index.
 *
 * @param mediaType what the registry or the descriptor says it is; the document may say it itself.
 * @throws data-loss when it is neither
 */
export function parseManifest(bytes: Uint8Array, mediaType: string): ImageManifest | ImageIndex {
  const document = parseObject(bytes, "image manifest");
  const own = document["mediaType"];
  const type = typeof own === "string" && own !== "" ? own : mediaType;
  if (isIndexType(type)) return { kind: "index", manifests: descriptors(document["manifests"], "manifests") };
  if (isManifestType(type)) {
    return {
      kind: "manifest",
      config: descriptor(document["config"], "config"),
      layers: descriptors(document["layers"], "layers"),
    };
  }
  throw malformed(`media type ${JSON.stringify(type)} is neither an image manifest nor an image index`);
}

/** Returns what kind of document bytes are, for a registry that does not say. */
export function guessMediaType(bytes: Uint8Array): string {
  const document = parseObject(bytes, "image manifest");
  if (typeof document["mediaType"] === "string") return document["mediaType"];
  return Array.isArray(document["manifests"]) ? mediaTypes.ociIndex : mediaTypes.ociManifest;
}

/** @throws data-loss unless the bytes are a JSON object */
export function parseObject(bytes: Uint8Array, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (err) {
    throw malformed(`${what} is not JSON`, err);
  }
  if (!isRecord(value)) throw malformed(`${what} is not a JSON object`);
  return value;
}

function descriptors(value: unknown, where: string): readonly Descriptor[] {
  if (!Array.isArray(value)) throw malformed(`"${where}" is not a list`);
  if (value.length > maxEntries) throw malformed(`"${where}" has more than ${String(maxEntries)} entries`);
  return value.map((entry: unknown, index) => descriptor(entry, `${where}[${String(index)}]`));
}

function descriptor(value: unknown, where: string): Descriptor {
  if (!isRecord(value)) throw malformed(`"${where}" is not an object`);
  const { mediaType, digest, size, annotations, platform } = value;
  if (typeof mediaType !== "string") throw malformed(`"${where}.mediaType" is not a text`);
  if (typeof digest !== "string" || !isDigest(digest)) throw malformed(`"${where}.digest" is not a digest`);
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) {
    throw malformed(`"${where}.size" is not a size`);
  }
  return {
    mediaType,
    digest,
    size,
    ...(isRecord(annotations) ? { annotations: onlyTexts(annotations) } : {}),
    ...(isRecord(platform) ? { platform: platformOf(platform) } : {}),
  };
}

function onlyTexts(record: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function platformOf({ os, architecture, variant }: Readonly<Record<string, unknown>>): Platform {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return { os: text(os), architecture: text(architecture), ...(typeof variant === "string" ? { variant } : {}) };
}

function malformed(message: string, cause?: unknown): OsError {
  return new OsError({ kind: "data-loss", code: "image/malformed-manifest", message, cause });
}
