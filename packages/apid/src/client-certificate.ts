import type { X509Certificate } from "node:crypto";
import { OsError } from "@talos-ts/base";
import { extKeyUsageOids } from "@talos-ts/crypto";
import type { Peer, PeerTls } from "@talos-ts/grpc";

/** Connections whose certificate was found good; a connection has many calls and one certificate. */
const checked = new WeakSet<Peer>();

/**
 * Refuses a peer without a verified certificate made for clients and nothing else: the key of a server must not open the
 * API, whatever its subject says.
 *
 * @throws {OsError} `apid/no-client-certificate` or `apid/client-usage`.
 */
export function checkClientCertificate(peer: Peer): void {
  if (checked.has(peer)) return;
  const { tls } = peer;
  if (tls?.certificate === undefined || !tls.authorized) {
    throw new OsError({
      kind: "unauthenticated",
      code: "apid/no-client-certificate",
      message: "Client certificate is missing or not signed by an accepted CA",
      next: "talosctl config info",
    });
  }
  if (!tls.certificate.ca && !isForClients(tls.certificate)) {
    throw new OsError({
      kind: "unauthenticated",
      code: "apid/client-usage",
      message: `certificate "${subjectText(tls)}" is missing the client auth extended key usage`,
      next: "talosctl config new",
    });
  }
  checked.add(peer);
}

function isForClients(certificate: X509Certificate): boolean {
  // Node leaves it out for a certificate that does not restrict its usage, against its own types.
  const usages = certificate.keyUsage as readonly string[] | undefined;
  return usages?.length === 1 && usages[0] === extKeyUsageOids.clientAuth;
}

/** The subject in the order and form in which Go prints it. */
function subjectText({ organizations, commonName }: PeerTls): string {
  const parts = commonName === undefined ? [] : [`CN=${commonName}`];
  if (organizations.length > 0) parts.push(organizations.map((each) => `O=${each}`).join("+"));
  return parts.join(",");
}
