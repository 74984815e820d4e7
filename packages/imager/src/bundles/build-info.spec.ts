import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { runTool } from "@talos-ts/host";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { readBuildInfo } from "./build-info.ts";

test("readBuildInfo names the commit and its time in UTC, and tells when files were changed since", async () => {
  await using folder = await temporaryDirectory();
  const { path } = folder;
  const when = { GIT_COMMITTER_DATE: "2026-01-02T03:04:05+02:00", GIT_AUTHOR_DATE: "2026-01-02T03:04:05+02:00" };
  const git = (...args: readonly string[]) =>
    runTool("git", ["-C", path, "-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { env: when });
  await git("init", "--quiet");
  await writeFile(join(path, "file"), "one");
  await git("add", "file");
  await git("commit", "--quiet", "-m", "first");
  const clean = await readBuildInfo(path);
  assert.match(clean.sha, /^[0-9a-f]{8}$/);
  assert.equal(clean.built, "2026-01-02T01:04:05Z");
  await writeFile(join(path, "file"), "two");
  assert.equal((await readBuildInfo(path)).sha, `${clean.sha}-dirty`);
});

test("readBuildInfo claims nothing outside a git checkout", async () => {
  await using folder = await temporaryDirectory();
  assert.deepEqual(await readBuildInfo(folder.path), { sha: "", built: "" });
});
