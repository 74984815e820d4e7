import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createManualClock, isCode, isKind, OsError } from "@talos-ts/base";
import { openLayout, type ImageLayout } from "../layout/layout.ts";
import { parseManifest } from "../manifest.ts";
import { parseReference } from "../reference.ts";
import { createRegistryServer, listen } from "../server/registry-server.ts";
import { noise, writeTestLayout } from "../testing/write-layout.ts";
import { createRegistryClient } from "./client.ts";
import { noRegistrySettings, type RegistrySettings } from "./settings.ts";

const reference = parseReference("reg.test/app:v1");
const credentials = { username: "", password: "", auth: "", identityToken: "" };

/** A mirror for every registry, and nothing behind it. */
const only = (...urls: readonly string[]): RegistrySettings => ({
  ...noRegistrySettings,
  mirrors: { "*": { endpoints: urls.map((endpoint) => ({ endpoint, overridePath: false })), skipFallback: true } },
});

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks));
}

describe("createRegistryClient()", () => {
  let folder: string;
  let layout: ImageLayout;
  const big = noise("big", 3_000_000);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "registry-"));
    await writeTestLayout(folder, [
      { reference: "reg.test/app:v1", index: true, layers: [{ big }] },
      { reference: "docker.io/library/tool:latest", layers: [{ tool: "x" }] },
    ]);
    layout = await openLayout(folder);
  });
  after(() => rm(folder, { recursive: true }));

  const serve = async (wrap: (next: RequestListener) => RequestListener = (next) => next) => {
    const registry = createRegistryServer({ layouts: () => [layout] });
    const [inner] = registry.listeners("request") as RequestListener[];
    assert.ok(inner !== undefined);
    const listening = await listen(createServer(wrap(inner)), "127.0.0.1", 0);
    return { ...listening, url: `http://127.0.0.1:${String(listening.port)}` };
  };

  const layerOf = async (source: ReturnType<typeof createRegistryClient>) => {
    const top = await source.resolve(reference);
    const index = parseManifest(top.bytes, top.descriptor.mediaType);
    assert.equal(index.kind, "index");
    const digest = index.manifests[1]?.digest ?? "";
    const { bytes, descriptor } = await source.resolve({ ...reference, digest });
    const manifest = parseManifest(bytes, descriptor.mediaType);
    assert.ok(manifest.kind === "manifest" && manifest.layers[0] !== undefined);
    return manifest.layers[0];
  };

  it("resolves tags and digests, and reads blobs from any byte on", async () => {
    await using server = await serve();
    using source = createRegistryClient({ settings: only(server.url) });
    const layer = await layerOf(source);
    const whole = await bytesOf(source.blob(reference, layer));
    assert.equal(whole.byteLength, layer.size);
    const rest = await bytesOf(source.blob(reference, layer, { offset: 1_000_000 }));
    assert.ok(rest.equals(whole.subarray(1_000_000)));
  });

  it("asks mirrors in order with the registry they stand in for, and goes on after a failure", async () => {
    const asked: string[] = [];
    await using broken = await serve(() => (request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(503).end();
    });
    await using server = await serve();
    using source = createRegistryClient({ settings: only(broken.url, server.url) });
    await source.resolve(parseReference("tool"));
    assert.deepEqual(asked, ["/v2/library/tool/manifests/latest?ns=docker.io"]);
  });

  it("tells what every endpoint said when none has the image", async () => {
    await using server = await serve();
    using source = createRegistryClient({ settings: only("http://127.0.0.1:1", server.url) });
    await assert.rejects(source.resolve(parseReference("reg.test/none:v1")), (err) => {
      assert.ok(isKind(err, "not-found"));
      assert.match(
        err.message,
        /^failed to resolve reference "reg\.test\/none:v1": connect ECONNREFUSED .*; http:.*not found/,
      );
      return true;
    });
  });

  it("names the endpoint with which TLS fails", async () => {
    await using dead = await listen(createServer(), "127.0.0.1", 0);
    // A server without TLS answers a handshake with something else.
    const url = `https://127.0.0.1:${String(dead.port)}`;
    using client = createRegistryClient({ settings: only(url) });
    await assert.rejects(client.resolve(reference), (err: OsError) =>
      err.message.includes(`127.0.0.1:${String(dead.port)}: `),
    );
  });
  it("exchanges a challenge for a token, with the credentials of the host", async () => {
    const logins: unknown[] = [];
    await using tokens = await serve(() => (request, response) => {
      logins.push([request.url, request.headers.authorization]);
      response.end(JSON.stringify({ token: "secret-token" }));
    });
    await using server = await serve((next) => (request, response) => {
      if (request.headers.authorization === "Bearer secret-token") return next(request, response);
      const challenge = `Bearer realm="${tokens.url}/token",service="reg",scope="repository:app:pull"`;
      response.writeHead(401, { "www-authenticate": challenge }).end();
    });
    const host = `127.0.0.1:${String(server.port)}`;
    const auths = { [host]: { ...credentials, username: "me", password: "pw" } };
    using source = createRegistryClient({ settings: { ...only(server.url), auths } });
    const layer = await layerOf(source);
    assert.equal((await bytesOf(source.blob(reference, layer))).byteLength, layer.size);
    const basic = `Basic ${Buffer.from("me:pw").toString("base64")}`;
    assert.deepEqual(logins, [["/token?service=reg&scope=repository%3Aapp%3Apull", basic]]);
  });

  it("answers a basic challenge, and fails as unauthenticated without credentials", async () => {
    await using server = await serve((next) => (request, response) => {
      if (request.headers.authorization === "Basic bWU6cHc=") return next(request, response);
      response.writeHead(401, { "www-authenticate": 'Basic realm="r"' }).end();
    });
    const auths = { [`127.0.0.1:${String(server.port)}`]: { ...credentials, auth: "bWU6cHc=" } };
    using known = createRegistryClient({ settings: { ...only(server.url), auths } });
    await known.resolve(reference);
    using unknown = createRegistryClient({ settings: only(server.url) });
    await assert.rejects(unknown.resolve(reference), (err) => isKind(err, "unauthenticated"));
  });

  it("does not hand credentials to the host of a redirect", async () => {
    let seen: string | undefined = "nothing";
    await using storage = await serve((next) => (request, response) => {
      seen = request.headers.authorization;
      next(request, response);
    });
    await using server = await serve((next) => (request, response) => {
      if (request.headers.authorization === undefined) {
        response.writeHead(401, { "www-authenticate": "Basic" }).end();
      } else if (request.url?.includes("/blobs/") === true) {
        const other = storage.url.replace("127.0.0.1", "localhost");
        response.writeHead(307, { location: `${other}${request.url}` }).end();
      } else next(request, response);
    });
    const auths = { [`127.0.0.1:${String(server.port)}`]: { ...credentials, username: "me", password: "pw" } };
    using source = createRegistryClient({ settings: { ...only(server.url), auths } });
    const layer = await layerOf(source);
    await bytesOf(source.blob(reference, layer));
    assert.equal(seen, undefined);
  });

  it("continues a blob where the connection broke", async () => {
    const ranges: (string | undefined)[] = [];
    await using server = await serve((next) => (request, response) => {
      if (request.url?.includes("/blobs/") === true) {
        ranges.push(request.headers.range);
        const write = response.write.bind(response) as (chunk: Uint8Array) => boolean;
        let sent = 0;
        response.write = ((chunk: Uint8Array) => {
          sent += chunk.byteLength;
          if (ranges.length <= 2 && sent > 1_000_000) response.destroy();
          return write(chunk);
        }) as typeof response.write;
      }
      next(request, response);
    });
    const clock = createManualClock();
    const sleep = async (): Promise<void> => undefined;
    using source = createRegistryClient({ settings: only(server.url), clock: { ...clock, sleep } });
    const layer = await layerOf(source);
    assert.equal((await bytesOf(source.blob(reference, layer))).byteLength, layer.size);
    assert.equal(ranges.length, 3);
    assert.match(ranges[1] ?? "", /^bytes=\d+-$/);
  });

  it("refuses a blob and a manifest that are not what their digest says", async () => {
    await using server = await serve();
    using source = createRegistryClient({ settings: only(server.url) });
    const layer = await layerOf(source);
    const path = join(folder, "blobs/sha256", layer.digest.slice("sha256:".length));
    const good = await readFile(path);
    const bad = Buffer.from(good);
    bad[100] = (bad[100] ?? 0) ^ 1;
    await writeFile(path, bad);
    await assert.rejects(bytesOf(source.blob(reference, layer)), (err) => err instanceof Error);
    await writeFile(path, good);
    await using lying = await serve(() => (_request, response) => response.end("{}"));
    using other = createRegistryClient({ settings: only(lying.url) });
    const digest = `sha256:${"0".repeat(64)}`;
    await assert.rejects(other.resolve({ ...reference, digest }), (err) => isCode(err, "image/digest-mismatch"));
  });

  it("ends when it is told to", async () => {
    await using server = await serve(() => () => undefined);
    using source = createRegistryClient({ settings: only(server.url) });
    const abort = new AbortController();
    const resolving = source.resolve(reference, abort.signal);
    abort.abort();
    await assert.rejects(resolving, (err) => OsError.from(err).kind === "cancelled");
  });
});
