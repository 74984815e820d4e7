import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Helpers of specs: an API of a provider, as the spec answers it. */

export interface ProviderRequest {
  /** Method and path with query, as `GET /servers/1`. */
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

export interface TestProvider extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly ProviderRequest[];
}

/** @param answer Text or object of the answer; `undefined` answers 404. */
export async function startTestProvider(answer: (request: ProviderRequest) => unknown): Promise<TestProvider> {
  const requests: ProviderRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const line = `${incoming.method ?? ""} ${incoming.url ?? ""}`;
      const request = {
        line,
        headers: incoming.headers,
        body: text === "" ? undefined : (JSON.parse(text) as unknown),
      };
      requests.push(request);
      const body = answer(request);
      response.statusCode = body === undefined ? 404 : 200;
      response.end(typeof body === "string" ? body : JSON.stringify(body ?? { error: { code: "not_found" } }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
