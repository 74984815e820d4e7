import { contextCertificate } from "./credentials.ts";
import { currentContextName } from "./edit.ts";
import { emptyContext, type TalosConfig } from "./model.ts";
import { relativeTime } from "./relative-time.ts";

/** Describes what a person wants to know about a context; the certificate part is empty without a certificate. */
export interface ContextInfo {
  readonly context: string;
  readonly nodes: readonly string[];
  readonly endpoints: readonly string[];
  readonly roles: readonly string[];
  /** `11 months from now` */
  readonly certTTL: string;
  /** `2027-06-01` */
  readonly certNotAfter: string;
}

/** @throws as `currentContextName`, or what reading the certificate throws. */
export function contextInfo(config: TalosConfig, now: Date, name?: string): ContextInfo {
  const context = currentContextName(config, name);
  const data = config.contexts.get(context) ?? emptyContext;
  const certificate = contextCertificate(data, context, now);
  return {
    context,
    nodes: data.nodes,
    endpoints: data.endpoints,
    roles: certificate?.roles ?? [],
    certTTL: certificate === undefined ? "" : relativeTime(certificate.notAfter, now),
    certNotAfter: certificate?.notAfter.toISOString().slice(0, 10) ?? "",
  };
}
