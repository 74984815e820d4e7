import { OsError } from "@talos-ts/base";
import assert from "node:assert/strict";
import type { MountInfo } from "../mounts/mountinfo.ts";
import type { Mounts } from "../mounts/mounts.ts";
import type { ConformanceSuites } from "./subject.ts";

async function at(mounts: Mounts, target: string): Promise<MountInfo | undefined> {
  return (await mounts.list()).findLast((mount) => mount.target === target);
}

export const mountsSuites: ConformanceSuites = {
  Mounts: {
    "mount() shows flags in the tree and unmount() takes it out": async (subject) => {
      const { mounts } = subject.linux;
      const target = await subject.makeFolder();
      await mounts.mount({ source: "box", target, type: "tmpfs", options: ["ro", "nosuid", "size=64k"] });
      const found = await at(mounts, target);
      assert.equal(found?.type, "tmpfs");
      assert.equal(found.source, "box");
      assert.deepEqual(found.options.slice(0, 2), ["ro", "nosuid"]);
      assert.ok(found.superOptions.includes("size=64k"));
      const stats = await mounts.statfs(target);
      assert.equal(stats.type, 0x01021994n);
      await mounts.unmount(target);
      assert.equal(await at(mounts, target), undefined);
    },
    "mount() names the operands when the target is missing": async (subject) => {
      const target = `${await subject.makeFolder()}/missing`;
      await assert.rejects(
        subject.linux.mounts.mount({ source: "box", target, type: "tmpfs" }),
        (err: unknown) =>
          err instanceof OsError &&
          err.kind === "not-found" &&
          err.code === "mount/enoent" &&
          err.message === `Cannot mount "box" on "${target}" as tmpfs: no such file or directory (ENOENT)` &&
          err.details["errno"] === "ENOENT",
      );
    },
    "mount() refuses a file system the kernel does not know": async (subject) => {
      const target = await subject.makeFolder();
      await assert.rejects(subject.linux.mounts.mount({ source: "box", target, type: "no-such-fs" }), {
        code: "mount/enodev",
      });
    },
    "unmount() refuses what is no mount point": async (subject) => {
      await assert.rejects(subject.linux.mounts.unmount(await subject.makeFolder()), { code: "mount/einval" });
    },
    "bind() with ro leaves the source writable": async (subject) => {
      const { mounts } = subject.linux;
      const [source, target] = [await subject.makeFolder(), await subject.makeFolder()];
      await mounts.mount({ source: "box", target: source, type: "tmpfs" });
      await mounts.bind(source, target, { options: ["ro"] });
      assert.equal((await at(mounts, target))?.options[0], "ro");
      assert.equal((await at(mounts, source))?.options[0], "rw");
      assert.equal((await at(mounts, target))?.source, "box");
      await mounts.unmount(target);
      await mounts.unmount(source);
    },
    "remount() changes flags": async (subject) => {
      const { mounts } = subject.linux;
      const target = await subject.makeFolder();
      await mounts.mount({ source: "box", target, type: "tmpfs" });
      await mounts.remount(target, ["ro", "noexec"]);
      const options = (await at(mounts, target))?.options ?? [];
      assert.ok(options.includes("ro") && options.includes("noexec"), options.join(","));
      await mounts.unmount(target);
    },
    "move() carries a mount to another place": async (subject) => {
      const { mounts } = subject.linux;
      const [source, target] = [await subject.makeFolder(), await subject.makeFolder()];
      await mounts.mount({ source: "box", target: source, type: "tmpfs" });
      await mounts.move(source, target);
      assert.equal(await at(mounts, source), undefined);
      assert.equal((await at(mounts, target))?.source, "box");
      await mounts.unmount(target);
    },
    "setPropagation() goes through its states": async (subject) => {
      const { mounts } = subject.linux;
      const target = await subject.makeFolder();
      await mounts.mount({ source: "box", target, type: "tmpfs" });
      for (const propagation of ["shared", "private", "unbindable", "private"] as const) {
        await mounts.setPropagation(target, propagation);
        assert.deepEqual((await at(mounts, target))?.propagation, [propagation]);
      }
      await mounts.unmount(target);
    },
    "unmount() with detach takes out a mount with others below it": async (subject) => {
      const { mounts } = subject.linux;
      const target = await subject.makeFolder();
      await mounts.mount({ source: "box", target, type: "tmpfs" });
      await mounts.bind(target, target);
      await mounts.unmount(target, { detach: true });
      await mounts.unmount(target, { detach: true });
      assert.equal(await at(mounts, target), undefined);
    },
    "pivotRoot() refuses a folder of the root it would replace": async (subject) => {
      const folder = await subject.makeFolder();
      await assert.rejects(subject.linux.mounts.pivotRoot(folder, folder), { code: "mount/ebusy" });
    },
  },
};
