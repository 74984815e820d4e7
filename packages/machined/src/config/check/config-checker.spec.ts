import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { loadConfig } from "@talos-ts/machinery/config";
import { createConfigChecker } from "./config-checker.ts";

const worker = "version: v1alpha1\nmachine:\n  type: worker\n  token: abcdef.0123456789abcdef\n";
const bytes = (text: string): Uint8Array => Buffer.from(text);
const testdata = new URL("../../../../machinery/src/config/documents/testdata/", import.meta.url);

describe("createConfigChecker()", () => {
  it("gives back every kind of document as this thread would have read it", async () => {
    const checker = createConfigChecker();
    let compared = 0;
    for (const name of (await readdir(testdata)).filter((each) => each.endsWith("_full.yaml"))) {
      const text = await readFile(new URL(name, testdata), "utf8");
      const checked = await checker.check({ data: bytes(text), mode: "metal" }).catch(() => undefined);
      if (checked === undefined) continue;
      const read = loadConfig(text);
      assert.deepEqual(
        checked.config.documents.map(({ kind, name: id, value }) => ({ kind, id, value })),
        read.documents.map(({ kind, name: id, value }) => ({ kind, id, value })),
        name,
      );
      assert.equal(checked.config.source, text);
      compared += 1;
    }
    assert.ok(compared > 20, String(compared));
  });

  it("tells what is wrong in the words of the checks", async () => {
    const checker = createConfigChecker();
    await assert.rejects(checker.check({ data: bytes("machine:\n  bogus: 1\n"), mode: "container" }), {
      kind: "invalid-argument",
      message: /unknown key "bogus"/,
    });
  });

  it("gives the difference to the active configuration when asked", async () => {
    const hostname = (name: string): string => `apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: ${name}\n`;
    const request = { data: bytes(hostname("b")), mode: "container" } as const;
    const asked = await createConfigChecker().check({ ...request, diff: { active: hostname("a"), redact: undefined } });
    assert.match(asked.diff, /^-hostname: a\n\+hostname: b$/m);
    assert.equal((await createConfigChecker().check(request)).diff, "");
  });

  const hostile: readonly (readonly [name: string, text: string])[] = [
    ["2 MB of [", "[".repeat(2_000_000)],
    ["5 MB of ? ", "? ".repeat(2_000_000)],
    ["lists in lists", `${"- ".repeat(100_000)}a`],
    ["mappings in mappings", Array.from({ length: 4000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
    ["flow mappings", `{a: ${"{a: ".repeat(200_000)}`],
    ["comments", `${worker}${"# c\n".repeat(500_000)}`],
    ["aliases of aliases", aliases(30)],
    [
      "many values",
      `${worker}  sysctls:\n${Array.from({ length: 60_000 }, (_, n) => `    a${String(n)}: b\n`).join("")}`,
    ],
  ];
  for (const [name, text] of hostile) {
    it(`refuses ${name} within its bounds, and this thread goes on`, async () => {
      const checker = createConfigChecker({ timeoutMs: 1500 });
      let turns = 0;
      const ticking = setInterval(() => (turns += 1), 20);
      await assert.rejects(checker.check({ data: bytes(text), mode: "container" }), { kind: "invalid-argument" });
      clearInterval(ticking);
      assert.ok(turns > 0);
    });
  }

  it("reads the next configuration after one that was too expensive", async () => {
    const checker = createConfigChecker({ timeoutMs: 5000 });
    await assert.rejects(checker.check({ data: bytes("[".repeat(2_000_000)), mode: "container" }));
    await assert.rejects(checker.check({ data: bytes("a"), mode: "container" }), /not a mapping/);
  });
});

function aliases(levels: number): string {
  const lines = ["a0: &a0 [x, x]"];
  for (let level = 1; level < levels; level += 1) {
    const below = `*a${String(level - 1)}`;
    lines.push(`a${String(level)}: &a${String(level)} [${below}, ${below}]`);
  }
  return lines.join("\n");
}
