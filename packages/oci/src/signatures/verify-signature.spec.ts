import assert from "node:assert/strict";
import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openLayout } from "../layout/layout.ts";
import { mediaTypes } from "../media-types.ts";
import { parseReference } from "../reference.ts";
import { createRegistryClient } from "../registry/client.ts";
import { noRegistrySettings } from "../registry/settings.ts";
import { createRegistryServer, listen } from "../server/registry-server.ts";
import { signTestImage, type TestSignature } from "../testing/sign-image.ts";
import { writeTestLayout } from "../testing/write-layout.ts";
import { parseSignatureKey } from "./signature-key.ts";
import { verifySignature } from "./verify-signature.ts";

const repository = "reg.test/app";
const reference = parseReference(`${repository}:v1`);
const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
const foreign = generateKeyPairSync("ec", { namedCurve: "P-256" });
const keyOf = (key: KeyObject) => parseSignatureKey(key.export({ type: "spki", format: "pem" }));

/** A registry with one image, which can be signed and verified. `wrap` stands before it. */
async function registryWithImage(wrap: (next: RequestListener) => RequestListener = (next) => next) {
  const folder = await mkdtemp(join(tmpdir(), "signed-"));
  const [image] = await writeTestLayout(folder, [{ reference: `${repository}:v1`, layers: [{ a: "1" }] }]);
  const digest = image?.digest ?? "";
  const layout = await openLayout(folder);
  const [inner] = createRegistryServer({ layouts: () => [layout] }).listeners("request") as RequestListener[];
  assert.ok(inner !== undefined);
  const listening = await listen(createServer(wrap(inner)), "127.0.0.1", 0);
  const endpoint = `http://127.0.0.1:${String(listening.port)}`;
  const settings = {
    ...noRegistrySettings,
    mirrors: { "*": { endpoints: [{ endpoint, overridePath: false }], skipFallback: true } },
  };
  const source = createRegistryClient({ settings });
  return {
    folder,
    digest,
    sign: (options: Partial<TestSignature>) =>
      signTestImage(folder, { repository, digest, key: own.privateKey, format: "simple", ...options }),
    verify: () => verifySignature({ source, reference, digest, key: keyOf(own.publicKey) }),
    async [Symbol.asyncDispose]() {
      source[Symbol.dispose]();
      await listening[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

describe("verifySignature()", () => {
  it("refuses an image without signatures, and says where it looked", async () => {
    await using registry = await registryWithImage();
    await assert.rejects(registry.verify(), {
      code: "image/unverified",
      message:
        "image verification failed: no valid signature found: " +
        "bundle referrer not found; bundle tag not found; legacy signature tag not found",
    });
  });
  for (const [format, message] of [
    ["simple", "verified via legacy signature (bundle verified false)"],
    ["bundle", "verified via bundle"],
  ] as const) {
    it(`accepts a signature of the key (${format})`, async () => {
      await using registry = await registryWithImage();
      await registry.sign({ format });
      assert.equal(await registry.verify(), message);
    });
    it(`refuses a signature of another key (${format})`, async () => {
      await using registry = await registryWithImage();
      await registry.sign({ format, key: foreign.privateKey });
      await assert.rejects(registry.verify(), /the signature is not of this key/);
    });
    it(`refuses a signature of another image (${format})`, async () => {
      await using registry = await registryWithImage();
      const names = `sha256:${"0".repeat(64)}`;
      await registry.sign({ format, names });
      await assert.rejects(registry.verify(), /is (?:not )?for sha256:/);
    });
  }
  it("refuses a payload that was changed after it was signed", async () => {
    await using registry = await registryWithImage();
    const { digest } = await registry.sign({});
    const blob = (name: string): string => join(registry.folder, "blobs/sha256", name.slice("sha256:".length));
    const manifest = JSON.parse(await readFile(blob(digest), "utf8")) as { layers: [{ digest: string }] };
    const path = blob(manifest.layers[0].digest);
    await writeFile(path, (await readFile(path, "utf8")).replace("reg.test", "reg.evil"));
    await assert.rejects(registry.verify(), { code: "image/unverified" });
  });
  it("takes bundles that refer to the image, where the registry lists them", async () => {
    let list: unknown;
    await using registry = await registryWithImage((next) => (request, response) => {
      if (request.url?.includes("/referrers/") !== true) return next(request, response);
      response.setHeader("content-type", mediaTypes.ociIndex).end(JSON.stringify(list));
    });
    const manifest = await registry.sign({ format: "bundle" });
    list = { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [manifest] };
    assert.equal(await registry.verify(), `verified via bundle referrer with digest ${manifest.digest}`);
  });
});

describe("parseSignatureKey()", () => {
  it("refuses what is no key", () => {
    assert.throws(() => parseSignatureKey("x"), { code: "image/bad-verifier" });
  });
  for (const type of ["rsa", "ed25519"] as const) {
    it(`verifies with a key of type ${type}`, () => {
      const pair =
        type === "rsa" ? generateKeyPairSync("rsa", { modulusLength: 2048 }) : generateKeyPairSync("ed25519");
      const message = Buffer.from("text");
      const signature = sign(type === "rsa" ? "sha256" : null, message, pair.privateKey);
      const key = keyOf(pair.publicKey);
      assert.ok(key.verifies(message, signature));
      assert.ok(!key.verifies(Buffer.from("other"), signature));
    });
  }
});
