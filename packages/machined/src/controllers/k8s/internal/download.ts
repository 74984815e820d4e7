import { get as httpGet, type IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { describeError, OsError } from "@talos-ts/base";

export interface DownloadOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** PEM of the trusted CAs. Default: those of Node.js. */
  readonly ca?: Buffer;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

const maxRedirects = 10;
const getters: Readonly<Record<string, typeof httpGet>> = { "http:": httpGet, "https:": httpsGet };

/** The text behind an http or https URL; follows redirects, and bounds the size. */
export async function download(url: string, options: DownloadOptions): Promise<string> {
  let location = url;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    try {
      // Headers (credentials) are for the host that was named, not for one it points to.
      const sameHost = new URL(location).host === new URL(url).host;
      const answer = await fetchOnce(location, sameHost ? options : { ...options, headers: {} });
      if (typeof answer === "string") return answer;
      location = answer.location;
    } catch (err) {
      throw failed(url, describeError(err), err);
    }
  }
  throw failed(url, `more than ${String(maxRedirects)} redirects`);
}

async function fetchOnce(url: string, options: DownloadOptions): Promise<string | { readonly location: string }> {
  const { headers, ca, signal, maxBytes } = options;
  const { protocol } = new URL(url);
  const get = getters[protocol];
  if (get === undefined) {
    throw new OsError({
      kind: "invalid-argument",
      message: `scheme "${protocol}" is not supported, only http and https`,
    });
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, signal, ...(ca !== undefined && { ca }) }, resolve).once("error", reject);
  });
  const { statusCode = 0 } = response;
  if (statusCode >= 300 && statusCode < 400 && response.headers.location !== undefined) {
    response.resume();
    return { location: new URL(response.headers.location, url).href };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes)
      throw new OsError({ kind: "resource-exhausted", message: `answer is over ${String(maxBytes)} bytes` });
    chunks.push(chunk);
  }
  if (statusCode === 200) return Buffer.concat(chunks).toString("utf8");
  throw new OsError({ kind: "unavailable", message: `bad response code: ${String(statusCode)}` });
}

function failed(url: string, problem: string, cause?: unknown): OsError {
  return new OsError({
    kind: cause === undefined ? "unavailable" : OsError.from(cause, "unavailable").kind,
    code: "k8s/download",
    message: `error downloading "${url}": ${problem}`,
    next: "talosctl get extramanifestsconfigs -o yaml",
    cause,
  });
}
