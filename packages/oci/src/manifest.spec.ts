import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isKind, OsError } from "@talos-ts/base";
import { chainIds } from "./chain-id.ts";
import { digestOf, verified } from "./digest.ts";
import { parseImageConfig } from "./image-config.ts";
import { parseManifest, type Descriptor } from "./manifest.ts";
import { mediaTypes } from "./media-types.ts";
import { selectManifest } from "./platform.ts";

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const blob: Descriptor = { mediaType: mediaTypes.ociConfig, digest: digestOf(Buffer.from("x")), size: 1 };

describe("parseManifest()", () => {
  it("reads manifests and indexes of both formats", () => {
    const body = json({ config: blob, layers: [blob] });
    for (const type of [mediaTypes.ociManifest, mediaTypes.dockerManifest]) {
      assert.deepEqual(parseManifest(body, type), { kind: "manifest", config: blob, layers: [blob] });
    }
    for (const type of [mediaTypes.ociIndex, mediaTypes.dockerList]) {
      assert.deepEqual(parseManifest(json({ manifests: [blob] }), type), { kind: "index", manifests: [blob] });
    }
  });
  it("believes the document before the one who sent it", () => {
    const body = json({ mediaType: mediaTypes.ociIndex, manifests: [] });
    assert.equal(parseManifest(body, mediaTypes.ociManifest).kind, "index");
  });
  const refused: Readonly<Record<string, unknown>> = {
    "a list": [],
    "an unknown type": { mediaType: "text/plain" },
    "layers that are no list": { config: blob, layers: {} },
    "a digest that is a path": { config: { ...blob, digest: "sha256:../../etc/passwd" }, layers: [] },
    "a negative size": { config: { ...blob, size: -1 }, layers: [] },
    "a size that is no whole number": { config: { ...blob, size: 1.5 }, layers: [] },
    "too many layers": { config: blob, layers: Array.from({ length: 5000 }, () => blob) },
  };
  for (const [what, value] of Object.entries(refused)) {
    it(`refuses ${what}`, () =>
      assert.throws(
        () => parseManifest(json(value), mediaTypes.ociManifest),
        (err) => isKind(err, "data-loss"),
      ));
  }
  it("fails in one way only on bytes of any kind", () => {
    const good = json({ config: blob, layers: [blob, blob] });
    let state = 5;
    const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 3000; round += 1) {
      const bytes = Buffer.from(good);
      for (let flips = random(4); flips >= 0; flips -= 1) bytes[random(bytes.length)] = random(256);
      try {
        parseManifest(bytes, mediaTypes.ociManifest);
        parseImageConfig(bytes);
      } catch (err) {
        assert.ok(err instanceof OsError && err.kind === "data-loss", String(err));
      }
    }
  });
});

describe("selectManifest()", () => {
  const on = (architecture: string, variant?: string): Descriptor => ({
    ...blob,
    platform: { os: "linux", architecture, ...(variant === undefined ? {} : { variant }) },
  });
  it("takes the processor, and of its variants the one that is named", () => {
    const all = [on("amd64"), on("arm", "v6"), on("arm", "v7"), on("arm64", "v8")];
    assert.equal(selectManifest(all, { os: "linux", architecture: "arm", variant: "v7" }), all[2]);
    assert.equal(selectManifest(all, { os: "linux", architecture: "arm64" }), all[3]);
  });
  it("says what there is when nothing fits", () => {
    const wanted = { os: "linux", architecture: "riscv64" };
    assert.throws(() => selectManifest([on("amd64")], wanted), /expected linux\/riscv64, found linux\/amd64/);
  });
});

describe("chainIds()", () => {
  it("names each layer with those below it", () => {
    const [one, two] = [digestOf(Buffer.from("1")), digestOf(Buffer.from("2"))];
    assert.deepEqual(chainIds([one, two]), [one, digestOf(Buffer.from(`${one} ${two}`))]);
    assert.deepEqual(chainIds([]), []);
  });
});

describe("verified()", () => {
  const read = (chunks: readonly string[], text: string) => {
    const source = (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    })();
    return Array.fromAsync(verified(source, { digest: digestOf(Buffer.from(text)), size: text.length }));
  };
  it("passes what is as expected", async () => assert.equal((await read(["ab", "c"], "abc")).length, 2));
  it("refuses other bytes, fewer and more", async () => {
    await assert.rejects(read(["abd"], "abc"), /has digest sha256:.*, expected/);
    await assert.rejects(read(["ab"], "abc"), /has 2 bytes, expected 3/);
    await assert.rejects(read(["abc", "d"], "abc"), /has more than 3 bytes/);
  });
});
