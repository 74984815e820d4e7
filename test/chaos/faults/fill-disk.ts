import { rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { runTool } from "@talos-ts/host";
import type { Fault } from "../fault.ts";
import { giveOwnDisk, varOf } from "../own-disk.ts";

/** Full enough: the file system keeps the last blocks for itself. */
const leastBlocks = 16;
const attempts = 20;

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
    for (let index = 0; index < attempts; index += 1) {
      const { bavail, bsize } = await statfs(folder);
      if (bavail <= leastBlocks) return;
      const file = join(folder, `filling-${String(index)}`);
      undo.defer(() => rm(file, { force: true }));
      // Some blocks describe the others, so that not all can be taken at once.
      const bytes = Math.max(bsize, Math.floor((bavail * bsize * 9) / 10));
      await runTool("fallocate", ["--length", String(bytes), file]).catch(() => undefined);
    }
  },
};
