import { createPrivateKey, X509Certificate } from "node:crypto";
import { document } from "../schema/document.ts";
import { boolean, string } from "../schema/scalars.ts";
import { property, object } from "../schema/type.ts";
import { failure } from "../validate/rules.ts";
import { requireName } from "./shared/rules.ts";

/** The published schema calls the certificate `crt`; only `cert` loads. */
const clientIdentity = {
  ...object(undefined, "A certificate with its key, each PEM.", {
    cert: property(string(), "Certificate, PEM."),
    key: property(string(), "Private key, PEM.", { secret: true }),
  }),
  json: {
    type: "object",
    properties: { crt: { type: "string" }, key: { type: "string" } },
    additionalProperties: false,
  },
} as const;

/** Keys of the system's own authorities name their algorithm in the PEM label, which OpenSSL does not expect. */
function pkcs8(pem: string): string {
  return pem.replaceAll("ED25519 PRIVATE KEY", "PRIVATE KEY");
}

export const registryTlsConfig = document({
  kind: "RegistryTLSConfig",
  schemaName: "cri.RegistryTLSConfigV1Alpha1",
  doc: "TLS towards a registry.",
  name: "Host of the registry.",
  fields: {
    clientIdentity: property(clientIdentity, "Client certificate."),
    ca: property(string(), "More CA certificates, PEM."),
    insecureSkipVerify: property(boolean, "Accepts any server certificate."),
  },
  validate: (tls, check) => {
    requireName(tls, check);
    if (tls.ca !== undefined && failure(() => new X509Certificate(tls.ca ?? "")) !== undefined) {
      check.error(["ca"], "ca must be a valid PEM-encoded certificate");
    }
    if (tls.clientIdentity === undefined) return;
    const { cert = "", key = "" } = tls.clientIdentity;
    const unreadable = "failed to parse PEM block";
    if (failure(() => new X509Certificate(cert)) !== undefined) {
      check.error(["clientIdentity", "cert"], `client identity certificate is invalid: ${unreadable}`);
    }
    if (failure(() => createPrivateKey(pkcs8(key))) !== undefined) {
      check.error(["clientIdentity", "key"], `client identity key is invalid: ${unreadable}`);
    }
  },
});
