import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { assembleTree } from "./assemble-tree.ts";
import { systemDaemons } from "../daemons.ts";
import { skeleton } from "./skeleton.ts";

const scratch = await mkdtemp(join(tmpdir(), "imager-tree-"));
after(() => rm(scratch, { recursive: true }));

const base = join(scratch, "base");
const tree = join(scratch, "tree");
await mkdir(join(base, "usr/bin"), { recursive: true });
await mkdir(join(base, "usr/sbin"), { recursive: true });
await writeFile(join(base, "node"), "node");
await writeFile(join(base, "flannel"), "plugin");
await assembleTree(tree, {
  base,
  node: join(base, "node"),
  skeleton: skeleton("v9.9.9"),
  daemons: systemDaemons("/src"),
  bundles: [{ name: "machined.mjs", content: Buffer.from("1") }],
  plugins: [join(base, "flannel")],
});
const read = (path: string): Promise<string> => readFile(join(tree, path), "utf8");
const mode = async (path: string): Promise<number> => (await stat(join(tree, path))).mode & 0o7777;

test("assembleTree makes an init the kernel can run", async () => {
  assert.match(await read("sbin/init"), /^#!\/usr\/bin\/node --max-semi-space-size=8\n/);
  assert.match(await read("sbin/init"), /import\("\/usr\/lib\/talos\/machined\.mjs"\)/);
  assert.equal(await mode("sbin/init"), 0o755);
  assert.equal(await mode("usr/bin/node"), 0o755);
  assert.match(await read("sbin/dashboard"), /import\("\/usr\/lib\/talos\/dashboard\.mjs"\)/);
});

test("assembleTree puts plugins of pod networks where Kubernetes looks for them", async () => {
  assert.equal(await read("opt/cni/bin/flannel"), "plugin");
  assert.equal(await mode("opt/cni/bin/flannel"), 0o755);
});

test("assembleTree makes mount points, users and the links of a merged usr", async () => {
  for (const path of ["proc", "sys", "dev", "run", "var", "system", "opt", "etc/cni", "usr/libexec/kubernetes"]) {
    assert.ok((await stat(join(tree, path))).isDirectory(), path);
  }
  for (const path of ["etc/hosts", "etc/resolv.conf", "etc/hostname", "etc/machine-id"]) {
    assert.equal(await read(path), "", path);
  }
  assert.equal(await mode("tmp"), 0o1777);
  assert.match(await read("etc/passwd"), /^apid:x:50:50:.*\ntrustd:x:51:51:.*\n(?:.*\n)*etcd:x:60:60:/m);
  assert.match(await read("etc/os-release"), /VERSION_ID=v9\.9\.9/);
  assert.equal(await readlink(join(tree, "lib64")), "usr/lib64");
});

test("assembleTree makes a second root that only lacks usr", async () => {
  const root = "usr/share/talos/daemon-root";
  assert.equal(await readlink(join(tree, root, "lib64")), "usr/lib64");
  assert.equal(await read(`${root}/etc/passwd`), await read("etc/passwd"));
});
