import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcFileSpec, EtcFileStatus } from "@talos-ts/machinery/resources/files";
import { testMachine } from "../internal/testing.ts";
import { etcFileController } from "./etc-file.ts";

const spec = (contents: string) => ({ contents, mode: 0o640, selinuxLabel: "" });

async function test(...targets: readonly string[]) {
  const root = await mkdtemp(join(tmpdir(), "etc-"));
  const machine = testMachine({ root });
  for (const target of targets) {
    machine.linux.paths.add(`${root}/etc/${target}`);
    machine.linux.paths.add(`${root}/system/etc/${target}`);
  }
  const kit = controllerTest({ register: [etcFileController(machine)] });
  return {
    ...kit,
    root,
    source: join(root, "system/etc"),
    mounted: async () => (await machine.linux.mounts.list()).map(({ target }) => target.replace(root, "")),
    async [Symbol.asyncDispose]() {
      await kit.stop();
      await rm(root, { recursive: true });
    },
  };
}

describe("etcFileController()", () => {
  it("keeps the file apart, mounts it over that of the image, and follows its contents in place", async () => {
    await using kit = await test("cri/hosts");
    await kit.create(createResource(EtcFileSpec, "cri/hosts", spec("one")));
    await kit.assertResource(EtcFileStatus, "cri/hosts");
    const path = join(kit.source, "cri/hosts");
    const before = await stat(path);
    assert.equal(before.mode & 0o777, 0o640);
    assert.ok((await kit.mounted()).includes("/etc/cri/hosts"));

    await kit.update(EtcFileSpec, "cri/hosts", () => spec("two"));
    const { metadata } = await kit.assertResource(EtcFileSpec, "cri/hosts", (file) =>
      assert.equal(file.spec.contents, "two"),
    );
    await kit.assertSpec(EtcFileStatus, "cri/hosts", { specVersion: String(metadata.version) });
    assert.equal(await readFile(path, "utf8"), "two");
    assert.equal((await stat(path)).ino, before.ino, "a mount follows the inode");
  });
  it("unmounts and removes a file that is no longer wanted", async () => {
    await using kit = await test("hosts");
    const file = createResource(EtcFileSpec, "hosts", spec("one"));
    await kit.create(file);
    await kit.assertResource(EtcFileStatus, "hosts");
    await kit.remove(file);
    await kit.assertNoResource(EtcFileStatus, "hosts");
    assert.ok(!(await kit.mounted()).includes("/etc/hosts"));
    await assert.rejects(stat(join(kit.source, "hosts")), { code: "ENOENT" });
  });
  it("keeps a file the image has no place for, and says so", async () => {
    await using kit = await test();
    await kit.create(createResource(EtcFileSpec, "extra", spec("one")));
    await kit.assertResource(EtcFileStatus, "extra");
    assert.equal(await readFile(join(kit.source, "extra"), "utf8"), "one");
    assert.ok(kit.logs.some(({ level, fields }) => level === "warn" && fields["target"] === `${kit.root}/etc/extra`));
  });
  it("never leaves /etc", async () => {
    await using kit = await test();
    await kit.create(createResource(EtcFileSpec, "../passwd", spec("root")));
    await kit.assertStatus("files.EtcFileController", (status) =>
      assert.match(JSON.stringify(status), /bad-name|below it/),
    );
    await assert.rejects(stat(join(kit.root, "system/passwd")), { code: "ENOENT" });
  });
});
