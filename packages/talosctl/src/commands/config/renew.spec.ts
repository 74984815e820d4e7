import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { parseCertificate, tlsPrivateKey } from "@talos-ts/crypto";
import { createServer, type ServiceImpl } from "@talos-ts/grpc";
import {
  encodeBundle,
  generateBundle,
  issueLeaf,
  secretsContract,
  type SecretsBundle,
} from "@talos-ts/machinery/secrets";
import {
  contextCredentials,
  createTalosconfig,
  decodeTalosconfig,
  encodeTalosconfig,
  resolveContext,
} from "@talos-ts/machinery/talosconfig";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { runCommand, type Result } from "../../testing/run-command.ts";

const day = 86_400_000;
let folder: string;
let bundle: SecretsBundle;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "renew-"));
  bundle = await generateBundle({ now: new Date(Date.now() - 800 * day), contract: secretsContract() });
});
after(() => rm(folder, { recursive: true }));

const path = (): string => join(folder, "talosconfig");
const certificate = async (): Promise<ReturnType<typeof parseCertificate>> => {
  const config = decodeTalosconfig(await readFile(path(), "utf8"));
  return parseCertificate(contextCredentials(resolveContext(config), "test").client?.crt ?? "");
};

/** A machine that issues certificates, and a talosconfig whose certificate was made so many days ago for a year. */
async function setUp(ageDays: number): Promise<AsyncDisposable & { run(...argv: readonly string[]): Promise<Result> }> {
  const { os } = bundle.certs;
  const issued = new Date(Date.now() - ageDays * day);
  const client = await issueLeaf("talosconfig", os, { roles: ["os:admin"] }, { now: issued, lifetimeMs: 365 * day });
  const names = { fqdn: "node", dnsNames: [], ipAddresses: ["127.0.0.1"] };
  const server = await issueLeaf("apidServer", os, names, { now: new Date() });
  const machine: ServiceImpl<typeof MachineService> = {
    version: () => ({ messages: [{ version: { tag: "v1" } }] }),
    async generateClientConfiguration({ roles, crtTtl }) {
      const lifetimeMs = Number(crtTtl?.seconds ?? 0n) * 1000;
      const pair = await issueLeaf("talosconfig", os, { roles }, { now: new Date(), lifetimeMs });
      return { messages: [{ crt: Buffer.from(pair.crt), key: Buffer.from(pair.key) }] };
    },
  };
  const grpc = createServer({ graceMs: 0 }).addService(MachineService, machine);
  const material = { cert: server.crt, key: tlsPrivateKey(server.key), ca: [os.crt] };
  const { address } = await grpc.listen({ host: "127.0.0.1", port: 0, tls: { material, clientAuth: "require" } });
  await writeFile(path(), encodeTalosconfig(createTalosconfig("test", [address], os.crt, client)));
  return {
    run: (...argv) => runCommand(["--talosconfig", path(), ...argv], { env: { HOME: folder } }),
    [Symbol.asyncDispose]: () => grpc.close(),
  };
}

const ageOf = async (): Promise<number> => (Date.now() - (await certificate()).notBefore.getTime()) / day;

describe("renewal of client certificates", () => {
  it("leaves a certificate alone in the first two thirds of its life", async () => {
    await using node = await setUp(200);
    const { code, err } = await node.run("-n", "127.0.0.1", "version");
    assert.deepEqual({ code, err }, { code: 0, err: "" });
    assert.ok((await ageOf()) > 199);
  });

  it("renews on use in the last third, says so once, keeps roles and lifetime", async () => {
    await using node = await setUp(260);
    const first = await node.run("-n", "127.0.0.1", "version");
    assert.equal(first.code, 0);
    assert.match(first.err, /^renewed the client certificate of context "test", now valid until \d{4}-\d\d-\d\d$/m);
    const { subject, notAfter, notBefore } = await certificate();
    assert.deepEqual(subject.organizations, ["os:admin"]);
    assert.equal(notAfter.getTime() - notBefore.getTime(), 365 * day);
    assert.ok((await ageOf()) < 1);
    assert.equal((await node.run("-n", "127.0.0.1", "version")).err, "");
  });

  it("can be switched off", async () => {
    await using _node = await setUp(260);
    const env = { HOME: folder, TALOSCTL_RENEW: "off" };
    await runCommand(["--talosconfig", path(), "-n", "127.0.0.1", "version"], { env });
    assert.ok((await ageOf()) > 259);
  });

  it("config renew asks a machine at any time, for any lifetime", async () => {
    await using node = await setUp(10);
    const { code, err } = await node.run("config", "renew", "--crt-ttl", "48h");
    assert.equal(code, 0, err);
    assert.match(err, /^renewed the client certificate/);
    const { notAfter, notBefore } = await certificate();
    assert.equal(notAfter.getTime() - notBefore.getTime(), 2 * day);
  });

  it("config renew issues it from the secrets after it has expired", async () => {
    await using node = await setUp(400);
    const secrets = join(folder, "secrets.yaml");
    await writeFile(secrets, encodeBundle(bundle));
    assert.notEqual((await node.run("-n", "127.0.0.1", "version")).code, 0);
    const { code, err } = await node.run("config", "renew", "--secrets", secrets);
    assert.equal(code, 0, err);
    assert.equal((await node.run("-n", "127.0.0.1", "version")).code, 0);
  });

  it("config renew refuses the secrets of another cluster, and leaves the context alone", async () => {
    await using node = await setUp(1);
    const secrets = join(folder, "others.yaml");
    const other = await generateBundle({ now: new Date(), contract: secretsContract() });
    await writeFile(secrets, encodeBundle(other));
    const { code, err } = await node.run("config", "renew", "--secrets", secrets);
    assert.equal(code, 1);
    assert.match(
      err,
      /the file is of another cluster, its CA is \S+, the context trusts \S+\nnext: talosctl config renew/,
    );
    assert.equal((await node.run("-n", "127.0.0.1", "version")).code, 0);
  });
});
