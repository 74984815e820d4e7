import { isRecord, OsError } from "@talos-ts/base";
import { hostPlatform, parseReference, readImageFile, type ImageSource } from "@talos-ts/oci";
import { parse } from "yaml";

/** Images that list the parts of a release, the file in them, and how it is read. */
const lists = {
  extensions: { file: "image-digests", read: readDigests },
  overlays: { file: "overlays.yaml", read: readOverlays },
} as const;

export type ReleasePart = keyof typeof lists;

/** Returns the image that lists parts of a release. */
export function partsImage(part: ReleasePart, tag: string): string {
  return `ghcr.io/siderolabs/${part}:${tag}`;
}

/**
 * Reads which system extensions or overlays belong to a release, as `<name>:<tag>@<digest>`.
 *
 * @throws {OsError} `image/no-parts` when the registry does not have the list, or it cannot be read
 */
export async function releaseParts(
  part: ReleasePart,
  tag: string,
  { source, signal }: { readonly source: ImageSource; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const { file, read } = lists[part];
  const reference = parseReference(partsImage(part, tag));
  try {
    const bytes = await readImageFile({ source, reference, platform: hostPlatform(), path: file, signal });
    return read(bytes.toString());
  } catch (err) {
    signal.throwIfAborted();
    const cause = OsError.from(err);
    throw new OsError({
      kind: cause.kind,
      code: "image/no-parts",
      message: `error fetching official ${part} for ${tag}: ${cause.message}`,
      next: `talosctl image talos-bundle ${tag} --${part}=false, or --registry-mirror ghcr.io=<URL>`,
      cause,
    });
  }
}

function readDigests(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.includes("@"));
}

function readOverlays(text: string): readonly string[] {
  const document: unknown = parse(text);
  const overlays = isRecord(document) && Array.isArray(document["overlays"]) ? document["overlays"] : [];
  return overlays.filter(isRecord).map(({ image, digest }) => `${String(image)}@${String(digest)}`);
}
