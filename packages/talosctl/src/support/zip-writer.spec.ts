import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readZip } from "./testing.ts";
import { createZip } from "./zip-writer.ts";

describe("createZip()", () => {
  it("keeps every file, also those that are added at once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "zip-"));
    const path = join(folder, "a.zip");
    const files = new Map(
      Array.from({ length: 20 }, (_, index) => [`größe/${String(index)}.log`, "line\n".repeat(index * 1000)]),
    );
    {
      await using zip = await createZip(path, new Date(2026, 0, 2, 3, 4, 5));
      await Promise.all([...files].map(([name, text]) => zip.add(name, Buffer.from(text))));
      await zip.end();
    }
    assert.deepEqual(readZip(await readFile(path)), files);
    await rm(folder, { recursive: true });
  });
});
