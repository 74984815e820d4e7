import { readFile } from "node:fs/promises";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isRecord, OsError } from "@talos-ts/base";

const trustedCaFile = "/etc/ssl/certs/ca-certificates.crt";
const timeoutMs = 15_000;
const maxBytes = 8 * 1024 * 1024;

/** An HTTP API that speaks JSON. */
export interface JsonApi {
  /**
   * Resolves to the object of the answer, empty where there is none.
   *
   * @param path Appended to the address of the API.
   * @throws OsError `vip/provider` when the API cannot be reached or refuses
   */
  call(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<Readonly<Record<string, unknown>>>;
  /** The answer as text. */
  text(path: string): Promise<string>;
}

export interface JsonApiOptions {
  /** Address that paths are appended to. */
  readonly url: string;
  /** Sent with every request: credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Prefix of every path of files, for tests. */
  readonly root: string;
  readonly signal: AbortSignal;
}

/** Trusts the CAs of the machine, and uses the proxy of its environment. */
export function createJsonApi({ url, headers = {}, root, signal }: JsonApiOptions): JsonApi {
  async function send(method: string, path: string, body?: object): Promise<string> {
    const target = new URL(url + path);
    const ca = await readFile(`${root}${trustedCaFile}`).catch(() => undefined);
    const secure = target.protocol === "https:";
    const agent = secure
      ? new HttpsAgent({ proxyEnv: process.env, ...(ca !== undefined && { ca }) })
      : new HttpAgent({ proxyEnv: process.env });
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const type = payload === undefined ? {} : { "content-type": "application/json" };
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
        const options = { method, headers: { ...headers, ...type }, agent, signal: limited };
        const outgoing = secure ? httpsRequest(target, options, resolve) : httpRequest(target, options, resolve);
        outgoing.on("error", reject).end(payload);
      });
      const text = await textOf(response);
      const { statusCode = 0 } = response;
      if (statusCode >= 200 && statusCode < 300) return text;
      throw new Error(`status ${String(statusCode)}: ${text.slice(0, 200)}`);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new OsError({
        kind: "unavailable",
        code: "vip/provider",
        message: `${method} ${target.origin}${target.pathname}: ${reason}`,
        cause,
      });
    } finally {
      agent.destroy();
    }
  }

  return {
    text: (path) => send("GET", path),
    async call(method, path, body) {
      const text = await send(method, path, body);
      const parsed: unknown = text === "" ? {} : JSON.parse(text);
      return isRecord(parsed) ? parsed : {};
    },
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer is over ${String(maxBytes)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The objects of a list in an answer. */
export function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((item) => isRecord(item)) : [];
}
