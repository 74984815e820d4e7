import assert from "node:assert/strict";
import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { PKIStatus } from "@talos-ts/machinery/resources/etcd";
import { EtcdRootSecret, EtcdSecret } from "@talos-ts/machinery/resources/secrets";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { etcdPKIController } from "./pki.ts";

const pair = (name: string) => ({ crt: `${name} certificate`, key: `${name} key` });
const authority = createResource(EtcdRootSecret, "etcd", EtcdRootSecret.spec({ etcdCA: pair("ca") }));
const secrets = createResource(
  EtcdSecret,
  "etcd",
  EtcdSecret.spec({ etcd: pair("server"), etcdPeer: pair("peer"), etcdAdmin: pair("admin") }),
);

describe("etcdPKIController()", () => {
  it("C-23: writes every pair, for their owner alone, and says which version is on disk", async () => {
    await using root = await temporaryDirectory();
    await using test = controllerTest({ register: [etcdPKIController({ root: root.path })] });
    await test.create(authority, secrets);
    await test.assertSpec(PKIStatus, "etcd", { ready: true, version: "1" });
    const directory = join(root.path, "system/secrets/etcd");
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    const names = ["admin", "ca", "peer", "server"];
    assert.deepEqual(
      (await readdir(directory)).toSorted(),
      names.flatMap((name) => [`${name}.crt`, `${name}.key`]),
    );
    for (const name of names) {
      assert.equal(await readFile(join(directory, `${name}.crt`), "utf8"), `${name} certificate`);
      assert.equal((await stat(join(directory, `${name}.key`))).mode & 0o777, 0o400);
    }
    await test.update(EtcdSecret, "etcd", (spec) => ({ ...spec, etcd: pair("renewed") }));
    await test.assertSpec(PKIStatus, "etcd", { ready: true, version: "2" });
    assert.equal(await readFile(join(directory, "server.crt"), "utf8"), "renewed certificate");
  });

  it("is not ready without secrets", async () => {
    await using root = await temporaryDirectory();
    await using test = controllerTest({ register: [etcdPKIController({ root: root.path })] });
    await test.create(authority, secrets);
    await test.assertResource(PKIStatus, "etcd");
    await test.remove(secrets);
    await test.assertNoResource(PKIStatus, "etcd");
  });
});
