import { connect as connectTcp, isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { parseCertificateDer, type Certificate, type PemPair } from "@talos-ts/crypto";
import { openTunnel } from "@talos-ts/grpc";
import { endpointTarget, type ChooseProxy } from "@talos-ts/machinery/client";
import { tlsPrivateKey } from "@talos-ts/crypto";

/** Describes what was found out about an endpoint by knocking at it. */
export interface EndpointFacts {
  readonly endpoint: string;
  readonly host: string;
  readonly port: number;
  /** Code of the system error that kept the connection from being made, as `ECONNREFUSED`; `ETIMEDOUT` for no answer at all. */
  readonly tcpError?: string;
  /** Why the HTTP proxy on the way did not connect; then `tcpError` is `EPROXY`. */
  readonly proxyError?: string;
  /** Why there was no TLS: the code of OpenSSL, or what was said instead. */
  readonly tlsError?: string;
  /** The certificate that the server showed, whoever issued it. */
  readonly certificate?: Certificate;
  /** Code of the alert by which the server refused the client's certificate. */
  readonly refusal?: string;
  /** The server speaks HTTP/2. */
  readonly http2: boolean;
}

const timeoutMs = 4000;
/** Longest time that a server may take to refuse a certificate after the handshake. */
const alertMs = 1500;

/** Connects, shakes hands without trusting anybody, and waits for what the server thinks of the client's certificate. */
export async function probeEndpoint(
  endpoint: string,
  client: PemPair | undefined,
  chooseProxy: ChooseProxy = () => undefined,
): Promise<EndpointFacts> {
  const target = endpointTarget(endpoint);
  const host = target.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  const port = Number(/:(\d+)$/.exec(target)?.[1] ?? 0);
  const place = { endpoint, host, port };
  const proxy = chooseProxy(host, port);
  const dial = (): Duplex =>
    proxy === undefined ? connectTcp({ host, port, timeout: timeoutMs }) : openTunnel(proxy, host, port);
  const failure = await knock(dial());
  if (failure !== undefined) {
    const tcpError = failure.code ?? "unknown";
    return { ...place, tcpError, http2: false, ...(tcpError === "EPROXY" && { proxyError: failure.message }) };
  }
  return { ...place, ...(await shakeHands(dial(), host, client)) };
}

function knock(socket: Duplex): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const end = (err: NodeJS.ErrnoException | undefined): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(err);
    };
    const late = setTimeout(() => end(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })), timeoutMs);
    socket.once("connect", () => end(undefined));
    socket.once("error", end);
  });
}

type Handshake = Pick<EndpointFacts, "tlsError" | "certificate" | "refusal" | "http2">;

function shakeHands(way: Duplex, host: string, client: PemPair | undefined): Promise<Handshake> {
  return new Promise((resolve) => {
    const own = client === undefined ? {} : { cert: client.crt, key: tlsPrivateKey(client.key) };
    const socket = connectTls({
      socket: way,
      ...(isIP(host) === 0 && { servername: host }),
      ...own,
      rejectUnauthorized: false,
      ALPNProtocols: ["h2"],
      timeout: timeoutMs,
    });
    let found: Handshake = { http2: false };
    let waiting: NodeJS.Timeout | undefined;
    const end = (more: Partial<Handshake>): void => {
      clearTimeout(waiting);
      socket.destroy();
      resolve({ ...found, ...more });
    };
    socket.once("secureConnect", () => {
      const der = socket.getPeerX509Certificate()?.raw;
      found = {
        http2: socket.alpnProtocol === "h2",
        ...(der !== undefined && { certificate: parseCertificateDer(der) }),
      };
      waiting = setTimeout(() => end({}), alertMs);
    });
    // The first bytes of a server that takes the certificate are its HTTP/2 settings.
    socket.once("data", () => end({}));
    socket.once("timeout", () => end({ tlsError: "ETIMEDOUT" }));
    socket.once("close", () => end(found.certificate === undefined ? { tlsError: "closed" } : { refusal: "closed" }));
    socket.once("error", (err: NodeJS.ErrnoException) => {
      const code = err.code ?? err.message;
      end(found.certificate === undefined ? { tlsError: code } : { refusal: code });
    });
  });
}

/** Reports whether the server is a machine without a configuration, by the name in the certificate that it makes for itself. */
export function isInMaintenance({ certificate }: Pick<EndpointFacts, "certificate">): boolean {
  return certificate?.subject.commonName === "maintenance-service.talos.dev";
}
