import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import { createAuthority, issuePair, tlsPrivateKey, type CertificateAuthority } from "@talos-ts/crypto";
import { createRegistryServer, listen, openLayout } from "@talos-ts/oci";

const validity = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) };

/** An authority that no machine trusts by itself. */
export function createRegistryAuthority(): Promise<CertificateAuthority> {
  return createAuthority({ keyType: "ecdsa", subject: { organizations: ["registry"] }, ...validity });
}

export interface TlsRegistryOptions {
  readonly authority: CertificateAuthority;
  readonly layout: string;
  readonly host: string;
  readonly port: number;
  /** `user:password` that every request has to come with. */
  readonly login: string;
}

/** A registry over TLS that wants a name and a password. `refused` counts requests without them. */
export async function serveRegistry(
  options: TlsRegistryOptions,
): Promise<AsyncDisposable & { readonly refused: number }> {
  const { authority, host, port } = options;
  const layout = await openLayout(options.layout);
  const [serve] = createRegistryServer({ layouts: () => [layout] }).listeners("request") as RequestListener[];
  const pair = await issuePair(authority, {
    subject: { organizations: ["registry server"] },
    ipAddresses: [host],
    keyUsages: ["digitalSignature"],
    extKeyUsages: ["serverAuth"],
    ...validity,
  });
  const login = `Basic ${Buffer.from(options.login).toString("base64")}`;
  let refused = 0;
  const server = createServer({ cert: pair.crt, key: tlsPrivateKey(pair.key) }, (request, response) => {
    if (request.headers.authorization === login) return serve?.(request, response);
    refused += 1;
    response.writeHead(401, { "www-authenticate": "Basic" }).end();
  });
  const listening = await listen(server, host, port);
  return {
    get refused() {
      return refused;
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
