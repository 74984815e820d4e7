import type { IncomingMessage } from "node:http";
import { createBackoff, describeError, OsError, systemClock, type Clock, type ErrorKind } from "@talos-ts/base";
import { checkDigest, digestOf, verified } from "../digest.ts";
import { guessMediaType, maxManifestBytes, parseManifest, type Descriptor } from "../manifest.ts";
import { acceptedManifests, isIndexType, isManifestType, mediaTypes } from "../media-types.ts";
import { formatReference, type ImageReference } from "../reference.ts";
import type { ImageSource, ResolvedImage } from "../source.ts";
import { createAuthorizer, type Authorizer } from "./authorizer.ts";
import { readBody } from "./body.ts";
import { endpointsOf, type Endpoint } from "./endpoints.ts";
import { createHttpClient } from "./http.ts";
import type { RegistrySettings } from "./settings.ts";

export interface RegistryClientOptions {
  readonly settings: RegistrySettings;
  /** CAs in PEM that every registry is checked against. @default those of the program */
  readonly trustedCas?: string;
  /** Interval at which a blob is continued after a broken connection. @default {5} */
  readonly blobAttempts?: number;
  readonly clock?: Clock;
}

const maxErrorBytes = 64 * 1024;

/** Pulls from registries over the OCI distribution protocol. Disposing closes its connections. */
export function createRegistryClient(options: RegistryClientOptions): ImageSource & Disposable {
  const { settings, blobAttempts = 5, clock = systemClock } = options;
  const trust = options.trustedCas === undefined ? {} : { trustedCas: options.trustedCas };
  const http = createHttpClient({ tls: settings.tls, ...trust });
  const authorizers = new Map<string, Authorizer>();
  /** The endpoint that knew an image is asked first for its blobs. */
  const answered = new Map<string, Endpoint>();

  function authorizerOf({ host }: Endpoint, registry: string): Authorizer {
    const known = authorizers.get(host);
    if (known !== undefined) return known;
    const isItself = host === "registry-1.docker.io" && registry === "docker.io";
    const made = createAuthorizer(http, settings.auths[host] ?? (isItself ? settings.auths[registry] : undefined));
    authorizers.set(host, made);
    return made;
  }

  /** Asks one endpoint, with credentials once it wants some. */
  async function ask(
    endpoint: Endpoint,
    reference: ImageReference,
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<IncomingMessage> {
    const { repository, registry } = reference;
    const authorizer = authorizerOf(endpoint, registry);
    const query = endpoint.namespace === undefined ? "" : `?ns=${encodeURIComponent(endpoint.namespace)}`;
    const url = `${endpoint.base}/${repository}/${path}${query}`;
    for (let attempt = 0; ; attempt += 1) {
      const authorization = authorizer.header(repository);
      const given = authorization === undefined ? headers : { ...headers, authorization };
      const response = await http.send(url, { headers: given, signal });
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) return response;
      const body = await readBody(response, maxErrorBytes).catch(() => Buffer.alloc(0));
      if (status === 401 && attempt < 2) {
        const challenge = response.headers["www-authenticate"];
        if (await authorizer.answer(challenge, repository, signal)) continue;
      }
      throw refusal(url, status, body);
    }
  }

  /** Asks each endpoint in turn until one answers; their failures together are the failure. */
  async function firstOf<T>(
    reference: ImageReference,
    call: (endpoint: Endpoint) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const key = formatReference({ registry: reference.registry, repository: reference.repository });
    const known = answered.get(key);
    const all = endpointsOf(reference, settings);
    const ordered = known === undefined ? all : [known, ...all.filter(({ base }) => base !== known.base)];
    const failures: OsError[] = [];
    for (const endpoint of ordered) {
      try {
        const result = await call(endpoint);
        answered.set(key, endpoint);
        return result;
      } catch (err) {
        signal?.throwIfAborted();
        failures.push(naming(endpoint, OsError.from(err, "unavailable")));
      }
    }
    throw together(failures);
  }

  async function resolveAt(
    endpoint: Endpoint,
    reference: ImageReference,
    signal?: AbortSignal,
  ): Promise<ResolvedImage> {
    const wanted = reference.digest ?? reference.tag ?? "latest";
    const headers = { accept: acceptedManifests.join(", ") };
    const response = await ask(endpoint, reference, `manifests/${wanted}`, headers, signal);
    const bytes = await readBody(response, maxManifestBytes);
    const stated = response.headers["docker-content-digest"];
    const digest = reference.digest ?? (typeof stated === "string" ? stated : digestOf(bytes));
    checkDigest(bytes, digest, `manifest of ${formatReference(reference)} from ${endpoint.host}`);
    const type = (response.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
    const mediaType = isIndexType(type) || isManifestType(type) ? type : guessMediaType(bytes);
    return { descriptor: { mediaType, digest, size: bytes.byteLength }, bytes };
  }

  /** Opens a blob at an offset; an endpoint that cannot continue in the middle is read from its beginning. */
  async function openBlob(reference: ImageReference, descriptor: Descriptor, offset: number, signal?: AbortSignal) {
    const range: Readonly<Record<string, string>> = offset === 0 ? {} : { range: `bytes=${String(offset)}-` };
    const isDocument = isIndexType(descriptor.mediaType) || isManifestType(descriptor.mediaType);
    const headers = { accept: isDocument ? acceptedManifests.join(", ") : "*/*", ...range };
    const path = `${isDocument ? "manifests" : "blobs"}/${descriptor.digest}`;
    const response = await firstOf(reference, (endpoint) => ask(endpoint, reference, path, headers, signal), signal);
    const start = response.statusCode === 206 ? offset : 0;
    return { response, skip: offset - start };
  }

  async function* read(reference: ImageReference, descriptor: Descriptor, from: number, signal?: AbortSignal) {
    const backoff = createBackoff({ initialMs: 250, maxMs: 10_000 });
    let offset = from;
    while (offset < descriptor.size) {
      const before = offset;
      try {
        const { response, skip } = await openBlob(reference, descriptor, offset, signal);
        let left = skip;
        for await (const chunk of response as AsyncIterable<Buffer>) {
          const useful = left === 0 ? chunk : chunk.subarray(Math.min(left, chunk.byteLength));
          left -= chunk.byteLength - useful.byteLength;
          if (useful.byteLength === 0) continue;
          offset += useful.byteLength;
          yield useful;
        }
        if (offset < descriptor.size) throw new OsError({ kind: "unavailable", message: "connection ended early" });
      } catch (err) {
        signal?.throwIfAborted();
        if (offset > before) backoff.reset();
        if (isFinal(err) || backoff.attempts + 1 >= blobAttempts) throw err;
        await clock.sleep(backoff.next(), signal);
      }
    }
  }

  return {
    async resolve(reference, signal) {
      try {
        return await firstOf(reference, (endpoint) => resolveAt(endpoint, reference, signal), signal);
      } catch (err) {
        const { kind, code, next } = OsError.from(err);
        const message = `failed to resolve reference "${formatReference(reference)}": ${describeError(err)}`;
        throw new OsError({ kind, code, message, ...(next === undefined ? {} : { next }), cause: err });
      }
    },
    blob(reference, descriptor, { offset = 0, signal } = {}) {
      const chunks = read(reference, descriptor, offset, signal);
      return offset === 0 ? verified(chunks, descriptor) : chunks;
    },
    async referrers(reference, digest, signal) {
      const headers = { accept: mediaTypes.ociIndex };
      try {
        const call = (endpoint: Endpoint) => ask(endpoint, reference, `referrers/${digest}`, headers, signal);
        const bytes = await readBody(await firstOf(reference, call, signal), maxManifestBytes);
        const list = parseManifest(bytes, mediaTypes.ociIndex);
        return list.kind === "index" ? list.manifests : [];
      } catch (err) {
        signal?.throwIfAborted();
        if (isFinal(err)) return [];
        throw err;
      }
    },
    [Symbol.dispose]: () => http[Symbol.dispose](),
  };
}

/** Says which endpoint failed where the error does not, as those of TLS; advice about the options of Node.js helps nobody here. */
function naming({ host }: Endpoint, err: OsError): OsError {
  const message = err.message.replace(/; if the root CA is installed locally, .*$/, "");
  if (message.includes(host)) return err;
  return new OsError({ kind: err.kind, code: err.code, message: `${host}: ${message}` });
}

/** Failures that another attempt does not change. */
function isFinal(err: unknown): boolean {
  const kinds: readonly ErrorKind[] = ["not-found", "unauthenticated", "permission-denied", "invalid-argument"];
  return err instanceof OsError && kinds.includes(err.kind);
}

const statusKinds: Readonly<Record<number, ErrorKind>> = {
  400: "invalid-argument",
  401: "unauthenticated",
  403: "permission-denied",
  404: "not-found",
  416: "out-of-range",
  429: "resource-exhausted",
};

const statusTexts: Readonly<Record<number, string>> = {
  401: "authorization failed",
  403: "access denied",
  404: "not found",
  429: "too many requests",
};

function refusal(url: string, status: number, body: Uint8Array): OsError {
  const text = statusTexts[status] ?? `unexpected status ${String(status)}`;
  const said = firstErrorIn(body);
  return new OsError({
    kind: statusKinds[status] ?? "unavailable",
    code: "registry/refused",
    message: `${url}: ${text}${said === undefined ? "" : ` (${said})`}`,
    details: { status },
  });
}

/** Registries explain themselves as `{"errors": [{"message": …}]}`. */
function firstErrorIn(body: Uint8Array): string | undefined {
  try {
    const { errors } = JSON.parse(Buffer.from(body).toString("utf8")) as {
      readonly errors?: readonly { readonly message?: unknown }[];
    };
    const message = errors?.[0]?.message;
    return typeof message === "string" ? message.slice(0, 200) : undefined;
  } catch {
    return undefined;
  }
}

/** The last failure decides the kind, as the registry itself is asked last; every one is told. */
function together(failures: readonly OsError[]): OsError {
  const last = failures.at(-1);
  if (last === undefined) return new OsError({ kind: "not-found", message: "no endpoint to ask" });
  if (failures.length === 1) return last;
  const message = failures.map((failure) => describeError(failure)).join("; ");
  return new OsError({ kind: last.kind, code: last.code, message, cause: last });
}
