import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { findMissingPrograms } from "./find-programs.ts";

test("findMissingPrograms names the package of each program that no folder has as an executable file", async () => {
  await using folder = await temporaryDirectory();
  await writeFile(join(folder.path, "runc"), "", { mode: 0o755 });
  await writeFile(join(folder.path, "ip"), "", { mode: 0o644 });
  const missing = await findMissingPrograms({ runc: "runc", ip: "iproute2" }, `/nonexistent:${folder.path}`);
  assert.deepEqual(missing, [{ name: "ip", package: "iproute2" }]);
});
