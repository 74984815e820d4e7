import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { readBootedEntry, readBootSecurity } from "./loader-variables.ts";

test("readBootedEntry() reads the variable of the boot loader, without the counter", async () => {
  await using folder = await temporaryDirectory();
  assert.equal(await readBootedEntry(folder.path), undefined);
  const variables = join(folder.path, "sys/firmware/efi/efivars");
  await mkdir(variables, { recursive: true });
  const path = join(variables, "LoaderEntrySelected-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f");
  const value = (text: string): Buffer =>
    Buffer.concat([Buffer.from([6, 0, 0, 0]), Buffer.from(`${text}\0`, "utf16le")]);
  await writeFile(path, value("talos-v1.13.9+2-1.conf"));
  assert.equal(await readBootedEntry(folder.path), "talos-v1.13.9");
  await writeFile(path, value("auto-efi-shell"));
  assert.equal(await readBootedEntry(folder.path), undefined);
});

test("readBootSecurity() tells what firmware and stub say, and nothing without them", async () => {
  await using folder = await temporaryDirectory();
  assert.deepEqual(await readBootSecurity(folder.path), { secureBoot: false, unifiedKernel: false });
  const variables = join(folder.path, "sys/firmware/efi/efivars");
  await mkdir(variables, { recursive: true });
  const secure = join(variables, "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c");
  await writeFile(secure, Buffer.from([6, 0, 0, 0, 0]));
  await writeFile(join(variables, "StubInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"), Buffer.alloc(6));
  assert.deepEqual(await readBootSecurity(folder.path), { secureBoot: false, unifiedKernel: true });
  await writeFile(secure, Buffer.from([6, 0, 0, 0, 1]));
  assert.equal((await readBootSecurity(folder.path)).secureBoot, true);
});
