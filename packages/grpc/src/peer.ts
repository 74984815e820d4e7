import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { hostPort } from "@talos-ts/base";

/** The peer of a connection. */
export interface Peer {
  readonly transport: "unix" | "tcp";
  /** `address:port` (IPv6 in brackets), or `unix`. */
  readonly address: string;
  /** IP address without port; `undefined` for a unix socket. */
  readonly ip: string | undefined;
  /** The connection itself, e.g. to ask the kernel for the credentials of a unix peer. */
  readonly socket: Socket;
  /** `undefined` when the connection is not encrypted. */
  readonly tls: PeerTls | undefined;
}

/** TLS state of a peer: whether a trusted CA issued its certificate, and the certificate. */
export interface PeerTls {
  /** True when the certificate chains to a trusted CA. */
  readonly authorized: boolean;
  /** `undefined` when the peer showed none. */
  readonly certificate: X509Certificate | undefined;
  /** The organizations of the certificate's subject, in order; Talos keeps the roles of a client there. */
  readonly organizations: readonly string[];
  readonly commonName: string | undefined;
}

export function peerOf(socket: Socket): Peer {
  const ip = socket.remoteAddress;
  return {
    transport: ip === undefined ? "unix" : "tcp",
    address: ip === undefined ? "unix" : hostPort(ip, socket.remotePort ?? 0),
    ip,
    socket,
    tls: socket instanceof TLSSocket ? tlsOf(socket) : undefined,
  };
}

function tlsOf(socket: TLSSocket): PeerTls {
  const certificate = socket.getPeerX509Certificate();
  const subject = certificate === undefined ? [] : subjectOf(certificate);
  return {
    authorized: socket.authorized,
    certificate,
    organizations: subject.filter(([key]) => key === "O").map(([, value]) => value),
    commonName: subject.find(([key]) => key === "CN")?.[1],
  };
}

/** Subject attributes as pairs. Node's legacy form keeps values apart and unescaped, where the text form needs parsing. */
function subjectOf(certificate: X509Certificate): (readonly [string, string])[] {
  const subject = certificate.toLegacyObject().subject as unknown as Record<string, string | string[]>;
  return Object.entries(subject ?? {}).flatMap(([key, value]) => [value].flat().map((each) => [key, each] as const));
}
