import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createAuthority } from "@talos-ts/crypto";
import { createTalosconfig, emptyContext, encodeTalosconfig } from "@talos-ts/machinery/talosconfig";
import { startFakeNode, type FakeNode } from "../../testing/fake-node.ts";

describe("config", () => {
  let node: FakeNode;
  let file: string;
  before(async () => {
    node = await startFakeNode({
      machine: {
        async generateClientConfiguration({ roles, crtTtl }) {
          const context = { ...emptyContext, ca: "Y2E=", crt: "Y3J0", key: "a2V5" };
          const config = { context: "new", contexts: new Map([["new", context]]), extra: new Map() };
          const text = encodeTalosconfig(config) + `# ${roles.join()} ${String(crtTtl?.seconds)}\n`;
          return { messages: [{ talosconfig: new TextEncoder().encode(text) }] };
        },
      },
    });
    file = join(node.folder, "talosconfig");
  });
  after(() => node[Symbol.asyncDispose]());

  it("changes and shows contexts", async () => {
    await node.run("config", "add", "demo");
    assert.match((await node.run("config", "context", "nobody")).err, /context "nobody" is not defined/);
    await node.run("config", "context", "demo");
    await node.run("config", "endpoint", "10.5.0.2", "10.5.0.3");
    await node.run("config", "node", "a", "b", "c", "d");
    const { out } = await node.run("config", "contexts");
    const rows = out.split("\n");
    assert.equal(rows[0], `CURRENT   NAME   ENDPOINTS${" ".repeat(11)}NODES`);
    assert.equal(rows[1], "*         demo   10.5.0.2,10.5.0.3   a,b,c...");
    assert.equal((await node.run("config", "info")).out.split("\n")[2], "Endpoints:           10.5.0.2, 10.5.0.3");
    await node.run("config", "context", "test");
    assert.deepEqual(await node.run("config", "remove", "de*", "-y"), {
      out: "",
      err: 'removing context "demo"\n',
      code: 0,
    });
    assert.doesNotMatch(await readFile(file, "utf8"), /demo/);
  });

  it("info shows roles and the end of the certificate", async () => {
    const { out } = await node.run("config", "info");
    assert.match(
      out,
      /^Current context: {5}test\nNodes: {15}not defined\n[^]*\nRoles: {15}os:admin\nCertificate expires: /,
    );
    const json = JSON.parse((await node.run("config", "info", "-o", "json")).out) as { roles: string[] };
    assert.deepEqual(json.roles, ["os:admin"]);
    assert.match(
      (await node.run("config", "info", "-o", "yaml")).out,
      /^context: test\n[^]*\nroles:\n {4}- os:admin\n/,
    );
  });

  it("merge takes over contexts and tells new names", async () => {
    const other = join(node.folder, "other");
    const { pem } = await createAuthority({
      keyType: "ed25519",
      subject: { organizations: ["x"] },
      notBefore: new Date(),
      notAfter: new Date(Date.now() + 1e6),
    });
    await writeFile(other, encodeTalosconfig(createTalosconfig("test", ["10.5.0.9"], pem.crt, pem)));
    assert.equal((await node.run("config", "merge", other)).err, 'renamed talosconfig context "test" -> "test-1"\n');
    assert.match((await node.run("config", "merge", join(node.folder, "none"))).err, /^Cannot read ".*none"/);
    await node.run("config", "context", "test");
  });

  it("new writes what the node made, with endpoints", async () => {
    const path = join(node.folder, "reader");
    const { err, code } = await node.run("config", "new", path, "-n", "a", "--roles", "os:reader", "--crt-ttl", "1h");
    assert.deepEqual([err, code], ["", 0]);
    assert.match(await readFile(path, "utf8"), /endpoints:\n +- 127\.0\.0\.1:\d+\n/);
    assert.match((await node.run("config", "new", path, "-n", "a")).err, /talosconfig file already exists/);
    assert.match((await node.run("config", "new", "x", "-n", "a", "--roles", "os:king")).err, /unknown roles: os:king/);
  });
});
