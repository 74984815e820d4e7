import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openLayout, type ImageLayout } from "./layout/layout.ts";
import { hostPlatform } from "./platform.ts";
import { readImageFile } from "./read-image-file.ts";
import { parseReference } from "./reference.ts";
import { writeTestLayout } from "./testing/write-layout.ts";

describe("readImageFile()", () => {
  let folder: string;
  let source: ImageLayout;
  const read = async (path: string): Promise<string> => {
    const reference = parseReference("reg.test/a:v1");
    return (await readImageFile({ source, reference, platform: hostPlatform(), path })).toString();
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "read-image-"));
    const layers = [{ "etc/a": "lower", "etc/b": "only here" }, { "etc/a": "upper" }];
    await writeTestLayout(folder, [{ reference: "reg.test/a:v1", index: true, layers }]);
    source = await openLayout(folder);
  });
  after(() => rm(folder, { recursive: true }));

  it("takes the file of the uppermost layer that has it", async () => {
    assert.deepEqual([await read("etc/a"), await read("etc/b")], ["upper", "only here"]);
  });
  it("says which file is not there", async () => {
    await assert.rejects(read("etc/c"), { code: "image/no-file", message: "image reg.test/a:v1 has no file etc/c" });
  });
});
