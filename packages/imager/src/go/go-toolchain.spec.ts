import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, test } from "node:test";
import { currentArchitecture } from "../architecture.ts";
import { goToolchain, unpackModule } from "./go-toolchain.ts";
import { moduleHash, sha256Of } from "./module-hash.ts";
import { makeZip } from "./testing.ts";

const folder = await mkdtemp(join(tmpdir(), "go-toolchain-"));
after(() => rm(folder, { recursive: true }));

const files = { "m@v1/bin/go": "program", "m@v1/src/a.go": "package a", "m@v1/pkg/tool/linux_amd64/link": "program" };
const hash = moduleHash(Object.entries(files).map(([name, text]) => ({ name, sha256: sha256Of(Buffer.from(text)) })));

test("unpackModule gives programs back their executable bit", async () => {
  const target = join(folder, "unpacked");
  await unpackModule(makeZip(files), "m@v1/", hash, target);
  const modeOf = async (name: string): Promise<number> => (await stat(join(target, name))).mode & 0o777;
  assert.equal(await modeOf("bin/go"), 0o755);
  assert.equal(await modeOf("pkg/tool/linux_amd64/link"), 0o755);
  assert.equal(await modeOf("src/a.go"), 0o644);
  assert.equal(await readFile(join(target, "src/a.go"), "utf8"), "package a");
});

test("unpackModule writes nothing of a module with another hash", async () => {
  const target = join(folder, "refused");
  const changed = makeZip({ ...files, "m@v1/bin/go": "another program" });
  await assert.rejects(unpackModule(changed, "m@v1/", hash, target), { code: "go/hash" });
  await assert.rejects(stat(target), { code: "ENOENT" });
});

test("goToolchain refuses a proxy that serves something else under the pinned version", async () => {
  const proxy = join(folder, "proxy/golang.org/toolchain/@v");
  await mkdir(proxy, { recursive: true });
  const { debian } = currentArchitecture();
  await writeFile(join(proxy, `v0.0.1-go1.26.6.linux-${debian}.zip`), makeZip(files));
  const env = { GOPROXY: pathToFileURL(join(folder, "proxy")).href, GOENV: "off" };
  await assert.rejects(goToolchain(join(folder, "cache"), undefined, { env }), { code: "go/hash" });
  await assert.rejects(stat(join(folder, "cache/toolchains", `go1.26.6-${debian}`)), { code: "ENOENT" });
});

test("goToolchain uses what is in the cache, without any proxy, and the caller's settings for modules", async () => {
  const cache = join(folder, "warm");
  const { debian } = currentArchitecture();
  await mkdir(join(cache, "toolchains", `go1.26.6-${debian}`), { recursive: true });
  const { go, env } = await goToolchain(cache, undefined, { env: { GOPROXY: "off", GOROOT: "/usr/lib/go" } });
  assert.equal(go, join(cache, "toolchains", `go1.26.6-${debian}`, "bin/go"));
  assert.equal(env["GOPROXY"], "off");
  assert.equal(env["GOROOT"], join(cache, "toolchains", `go1.26.6-${debian}`));
  assert.equal(env["GOTOOLCHAIN"], "local");
});
