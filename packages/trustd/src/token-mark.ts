import { createHmac, timingSafeEqual } from "node:crypto";
import { systemEntropy, type Certificate, type Entropy } from "@talos-ts/crypto";
import type { OSRootSecretSpec } from "@talos-ts/machinery/resources/secrets";

const halfBytes = 8;

/**
 * Entropy for a certificate that remembers the join token of its day: half of the serial number is random, the other half a code
 * over the first one and the token, with a key that only holders of the CA's key have.
 *
 * A renewal over mTLS is granted while the token is the same. Whoever rotates the token wants machines to join anew, and one
 * that was stolen must not live on by renewing itself.
 */
export function markedEntropy(secrets: OSRootSecretSpec, entropy: Entropy = systemEntropy): Entropy {
  return {
    ...entropy,
    bytes(count) {
      const random = entropy.bytes(count);
      if (count !== 2 * halfBytes) return random;
      // The highest bit stays clear: a serial number is positive, and one byte longer otherwise.
      const nonce = Buffer.from(random.subarray(0, halfBytes));
      nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
      return Buffer.concat([nonce, code(nonce, secrets)]);
    },
  };
}

/** Reports whether a certificate was issued by {@link markedEntropy} while the join token was the present one. */
export function hasCurrentToken({ serial }: Certificate, secrets: OSRootSecretSpec): boolean {
  const bytes = Buffer.from(serial.toString(16).padStart(4 * halfBytes, "0"), "hex");
  if (bytes.length !== 2 * halfBytes) return false;
  return timingSafeEqual(bytes.subarray(halfBytes), code(bytes.subarray(0, halfBytes), secrets));
}

function code(nonce: Uint8Array, { issuingCA, token }: OSRootSecretSpec): Buffer {
  return createHmac("sha256", `trustd join token\n${issuingCA?.key ?? ""}`)
    .update(nonce)
    .update(token)
    .digest()
    .subarray(0, halfBytes);
}
