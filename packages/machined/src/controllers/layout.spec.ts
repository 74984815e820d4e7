import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { describe, it } from "node:test";

/** Files of a domain's folder that are neither specs nor its registry; helpers are in `internal/`. */
async function controllerFiles(
  domain: string,
): Promise<{ readonly files: readonly string[]; readonly specs: ReadonlySet<string> }> {
  const names = (await readdir(new URL(`./${domain}/`, import.meta.url), { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  return {
    files: names.filter((name) => !name.endsWith(".spec.ts") && name !== "index.ts"),
    specs: new Set(names.filter((name) => name.endsWith(".spec.ts"))),
  };
}

describe("controllers/", () => {
  it("has a spec of the same name beside every controller, and calls other specs stories", async () => {
    const entries = await readdir(new URL(".", import.meta.url), { withFileTypes: true });
    const domains = entries.filter((entry) => entry.isDirectory() && entry.name !== "internal");
    assert.ok(domains.length > 8);
    for (const { name: domain } of domains) {
      const { files, specs } = await controllerFiles(domain);
      const own = files.map((file) => `${basename(file, ".ts")}.spec.ts`);
      assert.deepEqual(
        own.filter((spec) => !specs.has(spec)),
        [],
        `${domain}: add these specs`,
      );
      const others = [...specs].filter((spec) => !own.includes(spec) && !spec.endsWith("-story.spec.ts"));
      assert.deepEqual(others, [], `${domain}: name these after their controller, or *-story.spec.ts`);
    }
  });
});
