import { once } from "node:events";
import { Agent as HttpAgent, get as getHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, get as getHttps } from "node:https";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { getCACertificates } from "node:tls";
import { OsError } from "@talos-ts/base";

export interface DownloadOptions {
  readonly signal?: AbortSignal;
  /** Called with what has arrived and, where the server told it, what is expected, in bytes. */
  readonly onBytes?: (received: number, expected: number | undefined) => void;
  /** Silence of the server after which an attempt fails, in ms. Default 30 000. */
  readonly idleTimeoutMs?: number;
}

const longestRedirect = 5;

/**
 * Downloads a `https:`, `http:` or `file:` address, following redirects.
 *
 * Goes through the proxy that the environment names (`HTTPS_PROXY`, `NO_PROXY`), and trusts the certificate authorities of
 * Node.js, of `NODE_EXTRA_CA_CERTS` and of the system, as other programs of the machine do.
 *
 * @throws OsError `download/absent` for status 404 and 410, `download/failed` for everything else.
 */
export async function download(address: string, options: DownloadOptions = {}): Promise<Buffer> {
  const url = new URL(address);
  if (url.protocol === "file:") {
    return readFile(fileURLToPath(url)).catch((err: unknown) => {
      throw failed(url, OsError.from(err).kind === "not-found" ? "absent" : "failed", OsError.from(err).message, err);
    });
  }
  return receive(url, options, longestRedirect);
}

async function receive(url: URL, options: DownloadOptions, redirects: number): Promise<Buffer> {
  const response = await request(url, options);
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    response.destroy();
    if (redirects === 0) throw failed(url, "failed", `more than ${longestRedirect} redirects`);
    return receive(new URL(headers.location, url), options, redirects - 1);
  }
  if (statusCode !== 200) {
    response.destroy();
    throw failed(url, statusCode === 404 || statusCode === 410 ? "absent" : "failed", `status ${statusCode}`);
  }
  const length = headers["content-length"];
  const expected = length === undefined ? undefined : Number(length);
  const chunks: Buffer[] = [];
  let received = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      received += chunk.length;
      options.onBytes?.(received, expected);
    }
  } catch (err) {
    options.signal?.throwIfAborted();
    throw failed(url, "failed", OsError.from(err).message, err);
  }
  if (expected !== undefined && received !== expected)
    throw failed(url, "failed", `${received} of ${expected} bytes arrived`);
  return Buffer.concat(chunks, received);
}

async function request(url: URL, { signal, idleTimeoutMs = 30_000 }: DownloadOptions): Promise<IncomingMessage> {
  const shared = { timeout: idleTimeoutMs, ...(signal === undefined ? {} : { signal }) };
  const proxyEnv = process.env;
  const sent =
    url.protocol === "https:"
      ? getHttps(url, { ...shared, agent: new HttpsAgent({ proxyEnv, ca: trustedAuthorities() }) })
      : getHttp(url, { ...shared, agent: new HttpAgent({ proxyEnv }) });
  sent.on("timeout", () => sent.destroy(new Error(`the server was silent for ${idleTimeoutMs / 1000} s`)));
  try {
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return response;
  } catch (err) {
    signal?.throwIfAborted();
    throw failed(url, "failed", OsError.from(err).message, err);
  }
}

function trustedAuthorities(): string[] {
  return [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
}

function failed(url: URL, condition: "absent" | "failed", reason: string, cause?: unknown): OsError {
  // Addresses may carry a password.
  const shown = `${url.protocol}//${url.host}${url.pathname}`;
  return new OsError({
    kind: condition === "absent" ? "not-found" : "unavailable",
    code: `download/${condition}`,
    message: `Cannot download "${shown}": ${reason}`,
    ...(cause === undefined ? {} : { cause }),
  });
}
