import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { runTool } from "@talos-ts/host";
import type { Fault } from "../fault.ts";
import { giveOwnDisk, varOf } from "../own-disk.ts";

/** Full enough: the file system keeps the last blocks for itself. */
const leastBlocks = 16;
const attempts = 20;
const topUpMs = 500;

export const fillDisk: Fault = {
  name: "fill-disk",
  summary: "the disk of a control plane is full, until somebody makes room",
  target: "any",
  lastsMs: 15_000,
  async unavailable() {
    return await runTool("mkfs.ext4", ["-V"]).then(
      () => undefined,
      () => "there is no mkfs.ext4 here: apt-get install e2fsprogs",
    );
  },
  prepare: ({ cluster, node }) => giveOwnDisk(cluster, node),
  async inject({ cluster, node, undo }) {
    const folder = varOf(cluster, node);
    const files: string[] = [];
    const over = new AbortController();
    let topping: Promise<void> = Promise.resolve();
    undo.defer(async () => {
      over.abort();
      await topping;
      for (const file of files) await rm(file, { force: true });
    });
    await fill(folder, files);
    await checkFull(folder);
    // The kubelet removes images and logs when there is no room: what it frees is taken again.
    topping = (async () => {
      while (!over.signal.aborted) {
        await pause(topUpMs, undefined, { signal: over.signal }).catch(() => undefined);
        if (!over.signal.aborted) await fill(folder, files);
      }
    })();
  },
};

/** Takes all blocks of a file system but the last few. */
async function fill(folder: string, files: string[]): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { bavail, bsize } = await statfs(folder);
    if (bavail <= leastBlocks) return;
    const file = join(folder, `filling-${String(files.length)}`);
    files.push(file);
    // Some blocks describe the others, so that not all can be taken at once.
    const bytes = Math.max(bsize, Math.floor((bavail * bsize * 9) / 10));
    await runTool("fallocate", ["--length", String(bytes), file]).catch(() => undefined);
  }
}

/** @throws unless a write of a megabyte fails for want of room */
async function checkFull(folder: string): Promise<void> {
  const file = join(folder, "filling-proof");
  try {
    await writeFile(file, Buffer.alloc(1024 * 1024, 1), { flush: true });
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ENOSPC") return;
    throw err;
  } finally {
    await rm(file, { force: true });
  }
  throw new Error(`${folder} is not full: a file of 1 MiB could be written`);
}
