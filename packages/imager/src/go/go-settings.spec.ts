import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { goSetting, inheritedSettings } from "./go-settings.ts";

const folder = await mkdtemp(join(tmpdir(), "go-settings-"));
after(() => rm(folder, { recursive: true }));
const file = join(folder, "env");
await writeFile(file, "GOFLAGS=-buildvcs=false\nGOPROXY=https://modules.example\n");

test("goSetting takes the environment first, then the file of go env -w", async () => {
  assert.equal(await goSetting("GOPROXY", { GOENV: file }), "https://modules.example");
  assert.equal(await goSetting("GOFLAGS", { GOENV: file }), "-buildvcs=false");
  assert.equal(await goSetting("GOPROXY", { GOENV: file, GOPROXY: "https://other.example" }), "https://other.example");
  assert.equal(await goSetting("GOSUMDB", { GOENV: file }), undefined);
});

test("goSetting finds the file in the user's configuration folder, and obeys GOENV=off", async () => {
  await mkdir(join(folder, ".config/go"), { recursive: true });
  await writeFile(join(folder, ".config/go/env"), "GOPROXY=https://mine.example\n");
  assert.equal(await goSetting("GOPROXY", { HOME: folder }), "https://mine.example");
  assert.equal(await goSetting("GOPROXY", { XDG_CONFIG_HOME: join(folder, ".config") }), "https://mine.example");
  assert.equal(await goSetting("GOPROXY", { GOENV: "off", HOME: folder }), undefined);
});

test("inheritedSettings keeps what decides about modules, and nothing else", () => {
  const env = { GOPROXY: "https://modules.example", GOROOT: "/usr/lib/go", GOFLAGS: "", HTTPS_PROXY: "http://p:3128" };
  assert.deepEqual(inheritedSettings(env), { GOPROXY: "https://modules.example", HTTPS_PROXY: "http://p:3128" });
});
