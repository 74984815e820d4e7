import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lockFile } from "./file-lock.ts";

const root = await mkdtemp(join(tmpdir(), "imager-lock-"));
after(() => rm(root, { recursive: true }));

const giveUp = async (holder: number): Promise<void> => {
  throw new Error(`held by ${holder}`);
};

test("lockFile names the holder to those who come second, until it is disposed", async () => {
  const path = join(root, "a.lock");
  {
    await using _held = await lockFile(path, giveUp);
    await assert.rejects(lockFile(path, giveUp), new RegExp(`held by ${process.pid}`));
  }
  await using _again = await lockFile(path, giveUp);
});

test("lockFile looks again as long as it is told to", async () => {
  const path = join(root, "b.lock");
  const held = await lockFile(path, giveUp);
  let asked = 0;
  await using _second = await lockFile(path, async () => {
    asked += 1;
    if (asked === 3) await held[Symbol.asyncDispose]();
  });
  assert.equal(asked, 3);
});

/** The words that name the holder in a lock file. */
async function holderOf(path: string): Promise<readonly string[]> {
  await using _held = await lockFile(path, giveUp);
  return (await readFile(path, "utf8")).split(" ");
}

test("lockFile believes a holder in another PID namespace as long as it touches the file", async () => {
  const path = join(root, "f.lock");
  const [, , boot = ""] = await holderOf(path);
  await writeFile(path, `4194305 123 ${boot} pid:[1]`);
  await assert.rejects(lockFile(path, giveUp), /held by 4194305/);
  const longAgo = new Date(Date.now() - 61_000);
  await utimes(path, longAgo, longAgo);
  await using _held = await lockFile(path, giveUp);
});

test("lockFile takes over from a process that is gone, or whose number was used again", async () => {
  const path = join(root, "c.lock");
  const [, , boot = "", namespace = ""] = await holderOf(join(root, "d.lock"));
  const here = `${boot} ${namespace}`;
  const started = await holderOf(join(root, "e.lock"));
  const otherBoot = `${started.slice(0, 2).join(" ")} other ${namespace}`;
  for (const stale of [`4194305 123 ${here}`, `${process.pid} 1 ${here}`, otherBoot, "garbage"]) {
    await writeFile(path, stale);
    await using _held = await lockFile(path, giveUp);
  }
  assert.deepEqual(await readdir(root), []);
});
