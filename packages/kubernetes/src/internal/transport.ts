import { Agent, request as httpsRequest } from "node:https";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { describeError, OsError, type Clock } from "@talos-ts/base";
import type { KubernetesAccess } from "../access.ts";
import { statusError } from "../errors.ts";

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with query, `/api/v1/nodes?limit=500`. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
  /** Longest wait for the whole answer, or for the first byte of a stream, in ms. */
  readonly timeoutMs: number;
}

/** Requests over kept-alive connections of one agent. */
export interface Transport extends Disposable {
  /** The parsed JSON answer; an answer over `maxBytes` is an error. */
  json(request: TransportRequest, maxBytes: number): Promise<unknown>;
  /** The answer as text, whatever its type. */
  text(request: TransportRequest, maxBytes: number): Promise<string>;
  /** The answer as a stream once its headers say success. The caller destroys it. */
  stream(request: TransportRequest, maxErrorBytes: number): Promise<IncomingMessage>;
}

export interface TransportOptions {
  readonly access: () => Promise<KubernetesAccess> | KubernetesAccess;
  readonly clock: Clock;
  readonly userAgent: string;
}

export function createTransport({ access, clock, userAgent }: TransportOptions): Transport {
  // Probes of dead peers: a watch has no other way to notice that the other end is gone.
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 15_000, maxFreeSockets: 2, maxCachedSessions: 4 });

  async function send(init: TransportRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { server, ca, cert, key, token, serverName, insecure = false } = await access();
    const url = new URL(server);
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const body = init.body === undefined ? undefined : Buffer.from(JSON.stringify(init.body));
    return await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = httpsRequest({
        agent,
        host,
        port: url.port === "" ? 443 : Number(url.port),
        method: init.method,
        path: url.pathname.replace(/\/$/, "") + init.path,
        signal,
        servername: serverName ?? (isIP(host) === 0 ? host : ""),
        rejectUnauthorized: !insecure,
        ...(ca !== undefined && { ca }),
        ...(cert !== undefined && { cert }),
        ...(key !== undefined && { key }),
        headers: {
          accept: "application/json",
          "user-agent": userAgent,
          ...(token !== undefined && cert === undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && {
            "content-type": init.contentType ?? "application/json",
            "content-length": body.length,
          }),
        },
      });
      outgoing.once("response", resolve);
      outgoing.once("error", reject);
      outgoing.end(body);
    });
  }

  /** Runs `work` with a signal that also ends it when the request takes too long. */
  async function limited<T>(init: TransportRequest, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const done = new AbortController();
    const signal = init.signal === undefined ? limit.signal : AbortSignal.any([init.signal, limit.signal]);
    void clock.sleep(init.timeoutMs, done.signal).then(
      () => limit.abort(),
      () => undefined,
    );
    try {
      return await work(signal);
    } catch (err) {
      throw requestError(init, err, limit.signal.aborted);
    } finally {
      done.abort();
    }
  }

  async function text(init: TransportRequest, maxBytes: number): Promise<string> {
    return await limited(init, async (signal) => {
      const response = await send(init, signal);
      const answer = await readBounded(response, maxBytes);
      failUnlessOk(init, response, answer);
      return answer;
    });
  }

  return {
    text,
    async json(init, maxBytes) {
      return parseJson(init, await text(init, maxBytes));
    },
    async stream(init, maxErrorBytes) {
      // The limit is for the headers: it is lifted when they have come, and only the caller's signal ends the stream.
      return await limited(init, async (signal) => {
        const response = await send(init, signal);
        if (response.statusCode === 200) return response;
        failUnlessOk(init, response, await readBounded(response, maxErrorBytes));
        throw new OsError({ kind: "unknown", message: `unexpected HTTP status ${String(response.statusCode)}` });
      });
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

async function readBounded(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new OsError({
        kind: "resource-exhausted",
        code: "kubernetes/answer-too-large",
        message: `answer is larger than ${String(maxBytes)} bytes`,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function failUnlessOk(init: TransportRequest, response: IncomingMessage, answer: string): void {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return;
  let body: unknown;
  try {
    body = JSON.parse(answer);
  } catch {
    body = undefined;
  }
  throw statusError(describeRequest(init), status, body);
}

function parseJson(init: TransportRequest, answer: string): unknown {
  try {
    return answer === "" ? {} : (JSON.parse(answer) as unknown);
  } catch (err) {
    throw new OsError({
      kind: "internal",
      code: "kubernetes/bad-answer",
      message: `${describeRequest(init)}: the answer is not JSON`,
      cause: err,
    });
  }
}

/** Path without its query, which may be long and says little. */
function describeRequest({ method, path }: TransportRequest): string {
  return `${method} ${path.split("?", 1)[0] ?? path}`;
}

function requestError(init: TransportRequest, err: unknown, timedOut: boolean): unknown {
  if (init.signal?.aborted === true) return init.signal.reason;
  const request = describeRequest(init);
  if (timedOut) {
    return new OsError({
      kind: "deadline-exceeded",
      code: "kubernetes/timeout",
      message: `${request}: no answer within ${String(init.timeoutMs)} ms`,
    });
  }
  const known = OsError.from(err, "unavailable");
  if (known.message.startsWith(request)) return known;
  const { kind, code, details } = known;
  return new OsError({
    kind,
    code: code === kind ? "kubernetes/unreachable" : code,
    message: `${request}: ${describeError(known)}`,
    details,
    cause: err,
  });
}
