import assert from "node:assert/strict";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { isCode } from "@talos-ts/base";
import type { Rootfs } from "@talos-ts/imager";
import { type ProgressEvent, runTool } from "@talos-ts/host";
import { createLinuxMounts } from "@talos-ts/linux";
import { createCluster, destroyCluster } from "@talos-ts/provision";
import { clustersFolder, createElsewhere, leftovers, planOf, testImage } from "./provision-support.ts";

const folder = await clustersFolder();
after(() => folder[Symbol.asyncDispose]());
const clustersDirectory = folder.path;
const image = await testImage();
const subnet = "10.75.0.0/24";

/** Moments of a `create`, by the report that comes with them. */
const moments: Readonly<Record<string, (event: ProgressEvent) => boolean>> = {
  "the image is mounted": (event) => event.stage === "mount image" && event.state === "done",
  "the network is made": (event) => event.stage === "create network" && event.state === "start",
  "the network exists": (event) => event.stage === "create network" && event.state === "done",
  "the first node starts": (event) => event.stage === "start nodes" && event.done === 1,
  "the second node starts": (event) => event.stage === "start nodes" && event.done === 2,
  "all nodes run": (event) => event.stage === "start nodes" && event.state === "done",
};

for (const [moment, matches] of Object.entries(moments)) {
  test(`destroyCluster leaves nothing of a create that was killed when ${moment}`, async () => {
    let reached = false;
    await createElsewhere(clustersDirectory, "killed", subnet, (event, child) => {
      if (!matches(event)) return;
      reached = true;
      // After the last report it may have ended by itself.
      child.kill("SIGKILL");
    });
    assert.ok(reached);
    await destroyCluster({ name: "killed", clustersDirectory });
    assert.deepEqual(await leftovers(planOf(clustersDirectory, "killed", subnet)), []);
  });
}

test("destroyCluster leaves nothing of a cluster whose state is lost", async () => {
  const state = await createCluster({ name: "lost", subnet, clustersDirectory, image: async () => image });
  await rm(join(state.plan.directory, "state.yaml"));
  await destroyCluster({ name: "lost", clustersDirectory });
  assert.deepEqual(await leftovers(state.plan), []);
});

test("createCluster removes what it made when it is aborted", async () => {
  const abort = new AbortController();
  const creating = createCluster(
    {
      name: "aborted",
      subnet,
      clustersDirectory,
      image: async (): Promise<Rootfs> => image,
      signal: abort.signal,
    },
    (event) => {
      if (moments["the second node starts"]?.(event) === true) abort.abort(new Error("enough"));
    },
  );
  await assert.rejects(creating);
  assert.deepEqual(await leftovers(planOf(clustersDirectory, "aborted", subnet)), []);
});

test("createCluster names a missing program and leaves nothing", async () => {
  const driver = join(import.meta.dirname, "provision-driver.ts");
  const { stdout } = await runTool("which", ["runc"]);
  // In a mount namespace of its own the program can be hidden without taking it from anybody.
  const script = `mount --bind /dev/null ${stdout.trim()} && exec "$@"`;
  const command = [process.execPath, driver, clustersDirectory, "tool", subnet];
  await assert.rejects(
    runTool("unshare", ["--mount", "sh", "-c", script, "sh", ...command]),
    (err) =>
      isCode(err, "tool/failed") &&
      err.message.includes("runc") &&
      /it lacks: program "runc" \(apt-get install runc\)/.test(String(err.details["stderr"])),
  );
  assert.deepEqual(await leftovers(planOf(clustersDirectory, "tool", subnet)), []);
});

async function smallDisk(size: string): Promise<AsyncDisposable & { readonly path: string }> {
  const mounts = createLinuxMounts();
  const path = folder.path;
  await mounts.mount({ source: "small", target: path, type: "tmpfs", options: [`size=${size}`] });
  return { path, [Symbol.asyncDispose]: () => mounts.unmount(path, { detach: true }) };
}

test("createCluster names the space it lacks and leaves nothing", async () => {
  await using disk = await smallDisk("64m");
  await assert.rejects(
    createCluster({ name: "small", subnet, clustersDirectory: disk.path, image: async () => image }),
    (err) => isCode(err, "provision/requirements") && err.message.includes(`1024 MiB free in "${disk.path}"`),
  );
  assert.deepEqual(await leftovers(planOf(disk.path, "small", subnet)), []);
});

test("createCluster says that the disk is full when it fills up on the way, and leaves nothing", async () => {
  await using disk = await smallDisk("1100m");
  const fill = async (): Promise<Rootfs> => {
    await using file = await open(join(disk.path, "filler"), "w");
    const chunk = Buffer.alloc(1024 ** 2);
    for (let written = 0; written < 1095; written += 1) await file.write(chunk);
    return image;
  };
  await assert.rejects(
    createCluster({ name: "full", subnet, clustersDirectory: disk.path, image: fill }),
    (err) => isCode(err, "provision/no-space") && err.message.includes("no space left"),
  );
  assert.deepEqual(await leftovers(planOf(disk.path, "full", subnet)), []);
});
