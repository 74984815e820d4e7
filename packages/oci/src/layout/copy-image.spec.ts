import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Descriptor } from "../manifest.ts";
import { hostPlatform } from "../platform.ts";
import { parseReference } from "../reference.ts";
import { signTestImage } from "../testing/sign-image.ts";
import { writeTestLayout } from "../testing/write-layout.ts";
import { cachedSource } from "./cached-source.ts";
import { copyImage, copySignatures } from "./copy-image.ts";
import { openFlatWriter } from "./flat-writer.ts";
import { openLayout, type ImageLayout } from "./layout.ts";
import { openLayoutWriter } from "./writer.ts";

const reference = parseReference("reg.test:5000/team/app:v1");
const platform = hostPlatform();

describe("copyImage()", () => {
  let folder: string;
  let source: ImageLayout;
  let image: Descriptor;
  const path = (name: string): string => join(folder, name);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "copy-image-"));
    const images = [{ reference: "reg.test:5000/team/app:v1", index: true, layers: [{ a: "x" }] }];
    [image = { mediaType: "", digest: "", size: 0 }] = await writeTestLayout(path("source"), images);
    source = await openLayout(path("source"));
  });
  after(() => rm(folder, { recursive: true }));

  for (const [format, open] of [
    ["oci", openLayoutWriter],
    ["flat", openFlatWriter],
  ] as const) {
    it(`makes a ${format} cache that serves the image by tag and by digest, with its blobs`, async () => {
      const target = await open(path(format));
      const outcomes: string[] = [];
      const progress = (_blob: Descriptor, outcome: string): void => void outcomes.push(outcome);
      const options = { source, target, reference, platform, progress };
      assert.equal((await copyImage(options)).digest, image.digest);
      assert.deepEqual(outcomes.splice(0), ["copied", "copied"]);
      await copyImage(options);
      assert.deepEqual(outcomes, ["exists", "exists"]);
      const copy = await openLayout(path(format));
      const found = await copy.images();
      assert.deepEqual([...found.keys()], ["reg.test:5000/team/app:v1"]);
      assert.equal(found.get("reg.test:5000/team/app:v1")?.digest, image.digest);
      const [byTag, byDigest] = [
        await copy.resolve(reference),
        await copy.resolve({ ...reference, digest: image.digest }),
      ];
      assert.deepEqual(byTag.bytes, byDigest.bytes);
      assert.equal(byTag.descriptor.mediaType, "application/vnd.oci.image.index.v1+json");
      await assert.rejects(copy.resolve(parseReference("reg.test:5000/team/app:v2")), { kind: "not-found" });
      await assert.rejects(copyImage({ ...options, platform: "all" }), "an image of the index is not in the source");
    });
  }

  it("has the paths of Talos in a flat cache", async () => {
    const names = await readdir(path("flat"), { recursive: true });
    const repository = "manifests/reg.test_5000_/team/app";
    for (const name of [`${repository}/reference/v1`, `${repository}/digest/${image.digest.replace(":", "-")}`])
      assert.ok(names.includes(name), name);
    assert.equal(names.filter((name) => /^blob\/sha256-[\da-f]{64}$/.test(name)).length, 2);
  });

  it("notices a manifest of a flat cache that was changed", async () => {
    const file = join(path("flat"), "manifests/reg.test_5000_/team/app/digest", image.digest.replace(":", "-"));
    const bytes = await readFile(file);
    await writeFile(file, Buffer.concat([bytes, Buffer.from(" ")]));
    const flat = await openLayout(path("flat"));
    await assert.rejects(flat.resolve({ ...reference, digest: image.digest }), { kind: "data-loss" });
    await writeFile(file, bytes);
  });

  it("copies signatures of both formats, and says when there is none", async () => {
    const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const target = await openFlatWriter(path("signed"));
    const options = { source, target, reference };
    assert.equal(await copySignatures(options, image), false);
    for (const format of ["bundle", "simple"] as const) {
      await signTestImage(path("source"), { repository: "reg.test:5000/team/app", digest: image.digest, key, format });
      assert.equal(await copySignatures(options, image), true);
    }
    const tags = [...(await (await openLayout(path("signed"))).images()).keys()];
    const tag = image.digest.replace(":", "-");
    assert.deepEqual(
      tags.toSorted(),
      [tag, `${tag}.sig`].map((name) => `reg.test:5000/team/app:${name}`),
    );
  });

  it("cachedSource() asks for a blob once, and repairs one that was cut off", async () => {
    let asked = 0;
    const counting = {
      ...source,
      blob: (...args: Parameters<ImageLayout["blob"]>) => {
        asked += 1;
        return source.blob(...args);
      },
    };
    const cached = cachedSource(counting, path("layers"));
    const copy = async (name: string): Promise<void> =>
      void (await copyImage({ source: cached, target: await openLayoutWriter(path(name)), reference, platform }));
    await copy("first");
    await copy("second");
    assert.equal(asked, 2);
    const [layer = ""] = await readdir(path("layers"));
    await writeFile(join(path("layers"), layer), "");
    await copy("third");
    assert.equal(asked, 3);
  });
});
