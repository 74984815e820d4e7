import { OsError } from "@talos-ts/base";
import type { ImageRule } from "@talos-ts/machinery/config";
import { parseSignatureKey, verifySignature, type ImageReference, type ImageSource } from "@talos-ts/oci";

/** Reports what the rules of the configuration say of an image. */
export interface ImageVerification {
  /** The image has the signature that its rule wants. */
  readonly verified: boolean;
  readonly message: string;
  /** Digest of what was verified. */
  readonly digest?: string;
}

/**
 * Decides about an image without a look at it: no rule and a rule that skips it allow it.
 *
 * @returns the rule itself when a signature decides
 * @throws {OsError} `image/denied`, `image/no-keyless`
 */
export function decideByRule(rule: ImageRule | undefined): ImageVerification | ImageRule {
  if (rule === undefined) return { verified: false, message: "no matched rule" };
  const { id, action, publicKey } = rule;
  if (action === "verify" && publicKey === undefined) throw noKeyless(rule);
  if (action === "verify") return rule;
  if (action === "skip") return { verified: false, message: `verification skipped by matched rule (${id})` };
  throw new OsError({
    kind: "permission-denied",
    code: "image/denied",
    message: `verification denied by matched rule (${id})`,
    next: "talosctl get imageverificationrules",
  });
}

export function isDecided(decision: ImageVerification | ImageRule): decision is ImageVerification {
  return "verified" in decision;
}

export interface VerifyImageOptions {
  readonly rule: ImageRule;
  readonly reference: ImageReference;
  /** Digest of what the reference stands for. */
  readonly digest: string;
  /** Registry or layout that the image and its signatures come from. */
  readonly source: ImageSource;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Verifies the signature that a rule wants.
 *
 * @throws {OsError} `image/unverified`
 */
export async function verifyImage(options: VerifyImageOptions): Promise<ImageVerification> {
  const { rule, reference, digest, source, signal } = options;
  const key = parseSignatureKey(rule.publicKey ?? "");
  const message = await verifySignature({ source, reference, digest, key, signal });
  return { verified: true, message, digest };
}

/** Reports whether a refusal stays the same however often the image is asked for. */
export function isRefusal(err: unknown): boolean {
  return err instanceof OsError && ["image/denied", "image/unverified", "image/no-keyless"].includes(err.code);
}

function noKeyless({ id }: ImageRule): OsError {
  return new OsError({
    kind: "unimplemented",
    code: "image/no-keyless",
    message: `rule ${id} wants the signature of an identity, and this system checks signatures of public keys only`,
    next: "talosctl edit machineconfig (publicKey verifies the image, skip: true allows it)",
  });
}
