import { isRecord } from "@talos-ts/base";
import type { Descriptor } from "../manifest.ts";
import { parseObject } from "../manifest.ts";
import type { SignatureKey } from "./signature-key.ts";
import { unverified } from "./unverified.ts";

const signatureAnnotation = "dev.cosignproject.cosign/signature";
const payloadType = "cosign container image signature";

/**
 * Checks a signature in the simple signing format: the layer is a JSON document that names the manifest, its annotation the
 * signature of these bytes.
 *
 * @throws {OsError} `image/unverified`
 */
export function checkSimpleSigning(
  layer: Descriptor,
  payload: Uint8Array,
  { digest, key }: { readonly digest: string; readonly key: SignatureKey },
): void {
  const signature = layer.annotations?.[signatureAnnotation];
  if (signature === undefined) throw unverified("missing signature annotation");
  if (!key.verifies(payload, Buffer.from(signature, "base64"))) throw unverified("the signature is not of this key");
  const { critical } = parseObject(payload, "signed payload");
  const { image, type } = isRecord(critical) ? critical : {};
  if (type !== payloadType) throw unverified(`the signed payload is no ${payloadType}`);
  const named = isRecord(image) ? image["docker-manifest-digest"] : undefined;
  if (named !== digest) throw unverified(`the signature is for ${String(named)}, not for ${digest}`);
}
