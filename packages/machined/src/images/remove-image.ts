import { isKind, OsError } from "@talos-ts/base";
import { formatReference, parseReference } from "@talos-ts/oci";
import type { ContainerdServices } from "../containerd/client.ts";

/**
 * Removes an image by its reference. Names that only stand for its digests go with the last tag, as nothing else would remove them;
 * containerd then collects what nobody refers to.
 *
 * @throws not-found
 */
export async function removeImage({ images }: ContainerdServices, text: string, signal: AbortSignal): Promise<void> {
  const name = formatReference(parseReference(text));
  const { images: all } = await images.list({}, { signal });
  const found = all.find((image) => image.name === name);
  if (found === undefined) throw absent(name);
  const same = all.filter((image) => image.name !== name && image.target?.digest === found.target?.digest);
  const isAlias = (each: string): boolean => each.startsWith("sha256:") || each.includes("@");
  const aliases = same.every((image) => isAlias(image.name)) ? same.map((image) => image.name) : [];
  for (const each of [...aliases, name]) {
    try {
      await images.delete({ name: each, sync: each === name }, { signal });
    } catch (err) {
      if (!isKind(err, "not-found")) throw err;
    }
  }
}

function absent(name: string): OsError {
  return new OsError({
    kind: "not-found",
    code: "image/not-found",
    message: `image "${name}": not found`,
    next: "talosctl image list",
  });
}
