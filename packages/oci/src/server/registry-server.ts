import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describeError, isKind, OsError } from "@talos-ts/base";
import type { ImageLayout } from "../layout/layout.ts";
import type { ImageReference } from "../reference.ts";
import type { ResolvedImage } from "../source.ts";
import { parseRange } from "./range.ts";
import { parseRoute } from "./route.ts";

export interface RegistryServerOptions {
  /** Layouts in the order they are searched, asked for at each request. */
  readonly layouts: () => readonly ImageLayout[];
  /** Certificate and key in PEM. @default plain HTTP */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly log?: (message: string) => void;
}

/** Connections at once; more are refused. */
const maxConnections = 128;

/** A read-only registry of the OCI distribution protocol over image layouts. It has no state of its own. */
export function createRegistryServer(options: RegistryServerOptions): Server {
  const handle: RequestListener = (request, response) => {
    void answer(options, request, response).catch((err: unknown) => {
      options.log?.(`${request.method ?? ""} ${request.url ?? ""}: ${describeError(err)}`);
      if (response.headersSent) response.destroy();
      else refuse(response, isKind(err, "not-found") ? 404 : 500, "UNKNOWN", describeError(err));
    });
  };
  const limits = { requestTimeout: 30_000, maxHeaderSize: 16 * 1024 };
  const server: Server =
    options.tls === undefined ? createServer(limits, handle) : createTlsServer({ ...limits, ...options.tls }, handle);
  server.maxConnections = maxConnections;
  return server;
}

/** Listens on an address; disposing ends all connections. Port 0 takes a free one. */
export async function listen(
  server: Server,
  host: string,
  port: number,
): Promise<{ readonly port: number } & AsyncDisposable> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  options: RegistryServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "", url = "" } = request;
  response.setHeader("docker-distribution-api-version", "registry/2.0");
  if (method !== "GET" && method !== "HEAD") return refuse(response, 405, "UNSUPPORTED", "this registry is read-only");
  const route = parseRoute(url);
  if (route === undefined) return refuse(response, 404, "NAME_UNKNOWN", "no such path");
  if (route.kind === "health" || route.kind === "base") {
    const body = route.kind === "base" ? "{}" : "ok";
    response.writeHead(200, { "content-type": route.kind === "base" ? "application/json" : "text/plain" });
    response.end(method === "HEAD" ? undefined : body);
    return;
  }
  if (route.kind === "blob") return sendBlob(options, route.digest, request, response);
  const found = await findManifest(options.layouts(), route.reference);
  if (found === undefined) return refuse(response, 404, "MANIFEST_UNKNOWN", "manifest unknown");
  const { mediaType, digest, size } = found.descriptor;
  response.writeHead(200, { "content-type": mediaType, "content-length": size, "docker-content-digest": digest });
  response.end(method === "HEAD" ? undefined : found.bytes);
}

async function findManifest(
  layouts: readonly ImageLayout[],
  reference: ImageReference,
): Promise<ResolvedImage | undefined> {
  for (const layout of layouts) {
    try {
      return await layout.resolve(reference);
    } catch (err) {
      if (!isKind(OsError.from(err), "not-found")) throw err;
    }
  }
  return undefined;
}

async function sendBlob(
  options: RegistryServerOptions,
  digest: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const layout of options.layouts()) {
    const size = await layout.blobSize(digest);
    if (size === undefined) continue;
    const range = parseRange(request.headers.range, size);
    if (range === undefined) {
      response.setHeader("content-range", `bytes */${String(size)}`);
      return refuse(response, 416, "RANGE_INVALID", "range is outside of the blob");
    }
    const { start, end, partial } = range;
    response.writeHead(partial ? 206 : 200, {
      "content-type": "application/octet-stream",
      "content-length": end - start + 1,
      "accept-ranges": "bytes",
      "docker-content-digest": digest,
      ...(partial ? { "content-range": `bytes ${String(start)}-${String(end)}/${String(size)}` } : {}),
    });
    if (request.method === "HEAD" || size === 0) {
      response.end();
      return;
    }
    return stream(layout, { digest, size, start, end }, response);
  }
  refuse(response, 404, "BLOB_UNKNOWN", "blob unknown");
}

interface BlobPart {
  readonly digest: string;
  readonly size: number;
  readonly start: number;
  readonly end: number;
}

/** Sends a part of a blob. The last chunk waits for the check of the digest, so that a damaged blob never arrives complete. */
async function stream(layout: ImageLayout, part: BlobPart, response: ServerResponse): Promise<void> {
  const { digest, size, start, end } = part;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const send = async (chunk: Uint8Array): Promise<void> => {
    if (response.write(chunk) || gone.signal.aborted) return;
    await once(response, "drain", { signal: gone.signal }).catch(() => undefined);
  };
  const descriptor = { mediaType: "", digest, size };
  const reference = { registry: "", repository: "", digest };
  let held: Uint8Array | undefined;
  let left = end - start + 1;
  for await (const chunk of layout.blob(reference, descriptor, { offset: start, signal: gone.signal })) {
    if (held !== undefined) await send(held);
    if (gone.signal.aborted) return;
    held = chunk.subarray(0, left);
    left -= held.byteLength;
    if (left === 0 && end < size - 1) break;
  }
  response.end(held);
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  const body = JSON.stringify({ errors: [{ code, message }] });
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
