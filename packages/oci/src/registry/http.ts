import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { getCACertificates } from "node:tls";
import { OsError } from "@talos-ts/base";
import { isLoopback } from "./loopback.ts";
import type { RegistryTls } from "./settings.ts";

export interface HttpRequest {
  readonly method?: "GET" | "HEAD" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/** HTTP and HTTPS with the TLS settings of each host, connections kept open, redirects followed. */
export interface HttpClient extends Disposable {
  /** Resolves with the head of the response; its body is read by iterating, as slowly as the reader likes. */
  send(url: string, request: HttpRequest): Promise<IncomingMessage>;
}

const maxRedirects = 10;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** A connection on which nothing moves for so long is given up. */
const idleTimeoutMs = 60_000;
const maxSockets = 16;

export interface HttpClientOptions {
  /** By host with port. */
  readonly tls: Readonly<Record<string, RegistryTls>>;
  /** Trusted CAs in PEM. @default those of the program */
  readonly trustedCas?: string;
}

export function createHttpClient({ tls, trustedCas }: HttpClientOptions): HttpClient {
  const agents = new Map<string, HttpAgent | HttpsAgent>();

  function agentOf(url: URL): HttpAgent | HttpsAgent {
    const key = `${url.protocol}//${url.host}`;
    const known = agents.get(key);
    if (known !== undefined) return known;
    // What is on this machine, such as the image cache, is never behind a proxy.
    const proxy = isLoopback(url.hostname) ? {} : { proxyEnv: process.env };
    const common = { keepAlive: true, maxSockets, timeout: idleTimeoutMs, ...proxy };
    const made =
      url.protocol === "https:"
        ? new HttpsAgent({ ...common, ...tlsOptions(tls[url.host], trustedCas) })
        : new HttpAgent(common);
    agents.set(key, made);
    return made;
  }

  function once(url: URL, request: HttpRequest): Promise<IncomingMessage> {
    const { method = "GET", headers = {}, body, signal } = request;
    return new Promise((resolve, reject) => {
      const send = url.protocol === "https:" ? httpsRequest : httpRequest;
      const outgoing = send(url, {
        method,
        headers,
        agent: agentOf(url),
        timeout: idleTimeoutMs,
        ...(signal === undefined ? {} : { signal }),
      });
      outgoing.once("response", resolve);
      outgoing.once("timeout", () =>
        outgoing.destroy(
          new OsError({
            kind: "deadline-exceeded",
            message: `no answer from ${url.host} within ${String(idleTimeoutMs / 1000)} s`,
          }),
        ),
      );
      // Stays for the life of the request: a connection can also break after the head of the response.
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  return {
    async send(address, request) {
      let url = new URL(address);
      let { headers = {} } = request;
      for (let hops = 0; hops <= maxRedirects; hops += 1) {
        const response = await once(url, { ...request, headers });
        const { location } = response.headers;
        if (!redirects.has(response.statusCode ?? 0) || location === undefined) return response;
        response.resume();
        const next = new URL(location, url);
        // Credentials are for the host that asked for them: storage behind a registry refuses or leaks them.
        if (next.host !== url.host)
          headers = Object.fromEntries(
            Object.entries(headers).filter(([name]) => name.toLowerCase() !== "authorization"),
          );
        url = next;
      }
      throw new OsError({
        kind: "unavailable",
        code: "registry/redirects",
        message: `more than ${String(maxRedirects)} redirects from ${address}`,
      });
    },
    [Symbol.dispose]() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

function tlsOptions(settings: RegistryTls | undefined, trustedCas: string | undefined) {
  const trusted = trustedCas === undefined ? {} : { ca: [trustedCas] };
  if (settings === undefined) return trusted;
  const { ca, clientIdentity, insecureSkipVerify } = settings;
  // A CA of one's own is trusted besides those that are trusted anyway.
  const own = {
    ca: [...(trustedCas === undefined ? getCACertificates("default") : [trustedCas]), Buffer.from(ca).toString()],
  };
  return {
    rejectUnauthorized: !insecureSkipVerify,
    ...(ca.byteLength === 0 ? trusted : own),
    ...(clientIdentity === undefined
      ? {}
      : { cert: Buffer.from(clientIdentity.crt), key: Buffer.from(clientIdentity.key) }),
  };
}
