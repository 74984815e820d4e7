import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, symlink, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { buildRootfs, type Daemon, unpackRootfs } from "@talos-ts/imager";
import { cacheDirectory } from "@talos-ts/host";
import { testImage } from "./provision-support.ts";

const scratch = await mkdtemp(join(tmpdir(), "imager-"));
after(() => rm(scratch, { recursive: true }));

const image = await testImage();

test("buildRootfs finds an image that was built from the same parts", async () => {
  const again = await testImage();
  assert.equal(again.cached, true);
  assert.equal(again.squashfs, image.squashfs);
});

test("buildRootfs makes the same bytes from the same parts", async () => {
  // Shares the pinned packages with the user's cache, and nothing that is derived from them.
  for (const name of ["apt", "pinned"]) await symlink(join(cacheDirectory(), name), join(scratch, name));
  const entry = join(import.meta.dirname, "provision-init.ts");
  const daemon: Daemon = { name: "machined", entry, program: "usr/sbin/init", flag: "--max-semi-space-size=8" };
  const rebuilt = await buildRootfs({ daemons: [daemon], cacheRoot: scratch });
  assert.equal(rebuilt.cached, false);
  assert.equal(rebuilt.digest, image.digest);
});

test("buildRootfs makes an image without shells and package managers, below 100 MB", async () => {
  const cacheRoot = join(scratch, "unpack");
  await mkdir(cacheRoot);
  for (const name of ["apt", "pinned", "tools"]) await symlink(join(cacheDirectory(), name), join(cacheRoot, name));
  const tree = await unpackRootfs(image, { cacheRoot });
  const programs = [...(await readdir(join(tree, "usr/bin"))), ...(await readdir(join(tree, "usr/sbin")))];
  const forbidden = /^(?:sh|bash|dash|busybox|perl|python.*|apt.*|dpkg.*|su|sudo|login|ctr)$/;
  assert.deepEqual(
    programs.filter((name) => forbidden.test(name)),
    [],
  );
  assert.ok(programs.includes("init") && programs.includes("containerd") && programs.includes("iptables"));
  assert.ok(image.sizes.squashfs < 100e6, `${image.sizes.squashfs} bytes`);

  const sbom = JSON.parse(await readFile(join(tree, "usr/share/spdx/talos.spdx.json"), "utf8")) as {
    readonly packages: readonly { readonly name: string; readonly licenseDeclared: string }[];
  };
  const licences = new Map(sbom.packages.map((row) => [row.name, row.licenseDeclared]));
  assert.equal(licences.get("runc"), "Apache-2.0", "a Debian package");
  assert.equal(licences.get("node"), "MIT", "Node.js");
  assert.ok(licences.has("stdlib"), "what Go programs are compiled with");
  assert.ok(licences.has("golang-github-vishvananda-netlink"), "source packages in Debian's Go programs");
});
