import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { createAuthority, issuePair } from "@talos-ts/crypto";
import type { KubernetesAccess } from "./access.ts";

/** Helpers of specs: a TLS server that answers as the spec says, and records what it was asked. */

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  /** Common name of the client certificate. */
  readonly clientName: string | undefined;
  readonly body: unknown;
}

/** Answers a request: JSON with status 200, or through `response` itself when it returns `undefined`. */
export type Answer = (request: RecordedRequest, response: ServerResponse) => unknown;

export interface TestApiServer extends AsyncDisposable {
  readonly access: KubernetesAccess;
  readonly requests: readonly RecordedRequest[];
  /** Ends all open connections, as a restart of the server does. */
  dropConnections(): void;
}

/** Answers with a failed `Status`. */
export function failWith(response: ServerResponse, code: number, reason: string, message = reason): undefined {
  response.statusCode = code;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message }));
}

/** Keeps a watch open and sends events on it. */
export function openWatch(response: ServerResponse): (type: string, object: unknown) => void {
  response.setHeader("content-type", "application/json");
  response.flushHeaders();
  return (type, object) => void response.write(`${JSON.stringify({ type, object })}\n`);
}

const day = 24 * 3_600_000;

export async function startTestApiServer(answer: Answer): Promise<TestApiServer> {
  const now = new Date();
  const validity = { notBefore: new Date(now.getTime() - day), notAfter: new Date(now.getTime() + day) };
  const authority = await createAuthority({
    subject: { organizations: ["kubernetes"] },
    keyType: "ecdsa",
    ...validity,
  });
  const usages = { keyUsages: ["digitalSignature"], ...validity } as const;
  const server = await issuePair(authority, {
    subject: { commonName: "kube-apiserver" },
    ipAddresses: ["127.0.0.1"],
    extKeyUsages: ["serverAuth"],
    ...usages,
  });
  const client = await issuePair(authority, {
    subject: { commonName: "talos:admin" },
    extKeyUsages: ["clientAuth"],
    ...usages,
  });
  const requests: RecordedRequest[] = [];
  const listener: Server = createServer(
    { cert: server.crt, key: server.key, ca: authority.pem.crt, requestCert: true, rejectUnauthorized: false },
    (incoming, response) => void respond(incoming, response),
  );

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await record(incoming);
    requests.push(request);
    const body = await answer(request, response);
    if (body === undefined) return;
    response.setHeader("content-type", "application/json");
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }

  await new Promise<void>((resolve) => {
    listener.listen(0, "127.0.0.1", resolve);
  });
  const { port } = listener.address() as AddressInfo;
  return {
    access: { server: `https://127.0.0.1:${String(port)}`, ca: authority.pem.crt, cert: client.crt, key: client.key },
    requests,
    dropConnections: () => listener.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      await new Promise((resolve) => {
        listener.close(resolve);
      });
    },
  };
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const url = new URL(incoming.url ?? "/", "https://localhost");
  const peer = (incoming.socket as TLSSocket).getPeerCertificate();
  return {
    method: incoming.method ?? "",
    path: url.pathname,
    query: url.searchParams,
    contentType: incoming.headers["content-type"],
    authorization: incoming.headers.authorization,
    clientName: Object.keys(peer).length === 0 ? undefined : String(peer.subject.CN),
    body: text === "" ? undefined : (JSON.parse(text) as unknown),
  };
}
