import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, test } from "node:test";
import { downloadModule, parseGoProxy } from "./module-proxy.ts";

test("parseGoProxy ends at direct and off, and tells what leads to the next entry", () => {
  assert.deepEqual(parseGoProxy("https://a.example/,https://b.example|direct"), [
    { address: "https://a.example", nextAfter: "absent" },
    { address: "https://b.example", nextAfter: "any" },
  ]);
  assert.deepEqual(parseGoProxy("off"), []);
});

describe("downloadModule", () => {
  const asked: string[] = [];
  const serve = async (answer: RequestListener): Promise<string> => {
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      answer(request, response);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    after(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const status = (code: number) => serve((_, response) => response.writeHead(code).end());

  test("asks for the escaped path and follows redirects", async () => {
    const proxy = await serve((request, response) => {
      if (request.url === "/else.zip") response.end("zip");
      else response.writeHead(302, { location: "/else.zip" }).end();
    });
    assert.equal(
      String(await downloadModule("example.com/Upper", "v1.0.0", {}, { GOPROXY: proxy, GOENV: "off" })),
      "zip",
    );
    assert.deepEqual(asked.splice(0), ["/example.com/!upper/@v/v1.0.0.zip", "/else.zip"]);
  });

  test("goes on to the next proxy after a comma only when the module is absent", async () => {
    const [absent, broken, good] = [await status(404), await status(500), await serve((_, res) => res.end("zip"))];
    const get = (GOPROXY: string) => downloadModule("m", "v1.0.0", {}, { GOPROXY, GOENV: "off" });
    assert.equal(String(await get(`${absent},${good}`)), "zip");
    assert.equal(String(await get(`${broken}|${good}`)), "zip");
    await assert.rejects(get(`${broken},${good}`), { code: "go/download", message: /status 500/ });
  });

  test("asks a failing proxy again before it gives up", async () => {
    let calls = 0;
    const flaky = await serve((_, response) => response.writeHead(++calls < 3 ? 503 : 200).end("zip"));
    assert.equal(String(await downloadModule("m", "v1.0.0", {}, { GOPROXY: flaky, GOENV: "off" })), "zip");
  });

  test("says what to set when GOPROXY allows no proxy", async () => {
    await assert.rejects(downloadModule("m", "v1.0.0", {}, { GOPROXY: "off", GOENV: "off" }), {
      code: "go/no-proxy",
      next: /^export GOPROXY=/,
    });
  });
});
