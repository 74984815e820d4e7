import type { Certificate } from "./certificate.ts";

/** Stage of a certificate's validity; `expiring` is past the point to renew it. */
export type CertificateStage = "not-yet-valid" | "valid" | "expiring" | "expired";

/** Remaining validity of a certificate. */
export interface CertificateExpiry {
  readonly stage: CertificateStage;
  readonly notAfter: Date;
  /** Negative once expired. */
  readonly remainingMs: number;
}

/**
 * Time that a certificate still lasts.
 *
 * @param warnMs Remaining life below which it counts as expiring. @default half of its life
 */
export function certificateExpiry(
  certificate: Pick<Certificate, "notBefore" | "notAfter">,
  now: Date,
  warnMs = (certificate.notAfter.getTime() - certificate.notBefore.getTime()) / 2,
): CertificateExpiry {
  const { notBefore, notAfter } = certificate;
  const remainingMs = notAfter.getTime() - now.getTime();
  const stages: readonly (readonly [CertificateStage, boolean])[] = [
    ["not-yet-valid", now < notBefore],
    ["expired", remainingMs < 0],
    ["expiring", remainingMs < warnMs],
  ];
  const stage = stages.find(([, applies]) => applies)?.[0] ?? "valid";
  return { stage, notAfter, remainingMs };
}
