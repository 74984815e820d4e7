import assert from "node:assert/strict";
import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { followFile } from "./follow-file.ts";

async function temporaryRoot(): Promise<{ readonly root: string } & AsyncDisposable> {
  const root = await mkdtemp(join(tmpdir(), "follow-"));
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) };
}

describe("followFile()", () => {
  it("gives the last lines", async () => {
    await using directory = await temporaryRoot();
    const { root } = directory;
    await writeFile(join(root, "log"), `${"x".repeat(200_000)}\n2\n3\n`);
    const { signal } = new AbortController();
    const last = async (tailLines: number): Promise<string> =>
      Buffer.concat(await Array.fromAsync(followFile("/log", { root, signal, tailLines }))).toString();
    assert.equal(await last(2), "2\n3\n");
    assert.equal(await last(0), "");
    assert.equal((await last(3)).length, 200_005);
    assert.equal((await last(9)).length, 200_005);
    assert.equal((await last(-1)).length, 200_005);
  });
  it("goes on with what is added, and with the file that takes its place", async () => {
    await using directory = await temporaryRoot();
    const { root } = directory;
    const path = join(root, "log");
    await writeFile(path, "1\n");
    const leave = new AbortController();
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      "1\n": () => appendFile(path, "2\n"),
      "1\n2\n": async () => {
        await rename(path, `${path}.1`);
        await writeFile(path, "3\n");
      },
      "1\n2\n3\n": async () => leave.abort(),
    };
    let seen = "";
    for await (const chunk of followFile("/log", { root, signal: leave.signal, follow: true })) {
      seen += chunk.toString();
      await steps[seen]?.();
    }
    assert.equal(seen, "1\n2\n3\n");
  });
});
