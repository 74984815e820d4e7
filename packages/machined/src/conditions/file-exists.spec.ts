import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { systemClock } from "@talos-ts/base";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { fileExists } from "./file-exists.ts";

test("fileExists() holds once the file is there, and gives up with the signal", async () => {
  await using folder = await temporaryDirectory();
  const stop = new AbortController();
  const condition = fileExists("/socket", { clock: systemClock, root: folder.path });
  assert.equal(condition.describe(), 'file "/socket" to exist');
  const given = condition.wait(stop.signal);
  stop.abort();
  await assert.rejects(given);
  const waiting = condition.wait(new AbortController().signal);
  await writeFile(`${folder.path}/socket`, "");
  await waiting;
});
