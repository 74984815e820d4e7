import { OsError } from "@talos-ts/base";
import { formatReference, parseReference, withDigest } from "@talos-ts/oci";
import type { ImageStore } from "../../../images/image-store.ts";
import type { ImageMethod } from "./method.ts";

/**
 * Verifies an image as the rules of `ImageVerificationConfig` say: no rule and a rule that skips it allow it without a signature, a
 * rule that denies it refuses it, and one with a public key wants a signature of that key.
 */
export const verify = (machine: { readonly images: Pick<ImageStore, "verify"> }): ImageMethod<"verify"> =>
  async function ({ imageRef, credentials: given }, { signal }) {
    const reference = readReference(imageRef);
    const { username = "", password = "" } = given ?? {};
    const credentials =
      given === undefined ? {} : { [given.host]: { username, password, auth: "", identityToken: "" } };
    const { verified, message, digest } = await machine.images.verify(reference, { credentials, signal });
    const digestedImageRef = digest === undefined ? "" : formatReference(withDigest(reference, digest));
    return { verified, message, digestedImageRef };
  };

function readReference(text: string): ReturnType<typeof parseReference> {
  try {
    return parseReference(text);
  } catch (err) {
    const { message } = OsError.from(err);
    throw new OsError({
      kind: "invalid-argument",
      code: "image/bad-reference",
      message: `image reference is invalid: ${message}`,
      cause: err,
    });
  }
}
