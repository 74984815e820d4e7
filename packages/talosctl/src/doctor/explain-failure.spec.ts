import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { issuePair, tlsPrivateKey, type CertificateAuthority, type PemPair } from "@talos-ts/crypto";
import { createServer, type ServiceImpl } from "@talos-ts/grpc";
import { createRoot, issueLeaf } from "@talos-ts/machinery/secrets";
import { addContext, createTalosconfig, encodeTalosconfig, resolveContext } from "@talos-ts/machinery/talosconfig";
import { State } from "@talos-ts/proto/cosi/resource";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { runCommand, type Result } from "../testing/run-command.ts";

const now = new Date();
const hours = (count: number): Date => new Date(now.getTime() + count * 3_600_000);
let folder: string;
let ca: CertificateAuthority;
let stranger: CertificateAuthority;
let admin: PemPair;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "doctor-"));
  // Old enough for leaves that are out of date.
  [ca, stranger] = [await createRoot("os", hours(-1000)), await createRoot("os", hours(-1000))];
  admin = await user(ca);
});
after(() => rm(folder, { recursive: true }));

const user = (authority: CertificateAuthority, at = now, ...roles: readonly string[]): Promise<PemPair> =>
  issueLeaf("talosconfig", authority.pem, { roles: roles.length === 0 ? ["os:admin"] : roles }, { now: at });

interface ServerWish {
  readonly authority?: CertificateAuthority;
  readonly commonName?: string;
  readonly addresses?: readonly string[];
  readonly from?: Date;
  readonly until?: Date;
  readonly anonymous?: boolean;
  readonly machine?: ServiceImpl<typeof MachineService>;
  readonly state?: ServiceImpl<typeof State>;
}

/** A server with the API of a machine on the loopback; resolves to its address. */
async function serve(wish: ServerWish = {}): Promise<AsyncDisposable & { readonly address: string }> {
  const pair = await issuePair(wish.authority ?? ca, {
    subject: { commonName: wish.commonName ?? "node" },
    ipAddresses: wish.addresses ?? ["127.0.0.1"],
    keyUsages: ["digitalSignature"],
    extKeyUsages: ["serverAuth"],
    notBefore: wish.from ?? hours(-1),
    notAfter: wish.until ?? hours(1),
  });
  const server = createServer({ graceMs: 0 }).addService(MachineService, wish.machine ?? {});
  server.addService(State, wish.state ?? {});
  const { address } = await server.listen({
    host: "127.0.0.1",
    port: 0,
    tls: {
      material: { cert: pair.crt, key: tlsPrivateKey(pair.key), ca: [ca.pem.crt] },
      clientAuth: wish.anonymous === true ? "none" : "require",
    },
  });
  return { address, [Symbol.asyncDispose]: () => server.close() };
}

const version = (endpoint: string, client = admin, authority = ca): Promise<Result> =>
  run(endpoint, ["version"], client, authority);

async function run(
  endpoint: string,
  words: readonly string[],
  client: PemPair,
  authority: CertificateAuthority,
): Promise<Result> {
  const other = createTalosconfig("other", [endpoint], stranger.pem.crt, await user(stranger));
  const config = addContext(
    createTalosconfig("test", [endpoint], authority.pem.crt, client),
    "other",
    resolveContext(other, "other"),
  );
  const path = join(folder, "talosconfig");
  await writeFile(path, encodeTalosconfig({ ...config, context: "test" }));
  return runCommand(["--talosconfig", path, "-n", "127.0.0.1", ...words], { env: { HOME: folder } });
}

function assertExplained({ err, code }: Result, sentence: RegExp, next: RegExp): void {
  assert.equal(code, 1);
  assert.match(err, sentence);
  assert.match(/^next: .*$/m.exec(err)?.[0] ?? err, next);
}

describe("explainFailure()", () => {
  it("port closed", async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const result = await version(`127.0.0.1:${String(port)}`);
    assertExplained(result, /Port \d+ of 127.0.0.1 is closed: .*connection refused/, /talosctl config endpoint/);
  });

  it("something else listens", async () => {
    const server = createTcpServer((socket) =>
      socket.on("error", () => undefined).end("SSH-2.0-OpenSSH\r\n", () => socket.destroy()),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const result = await version(`127.0.0.1:${String(port)}`);
    assertExplained(result, /is not the API of a machine: it speaks no TLS/, /talosctl config endpoint 127.0.0.1/);
    await new Promise((resolve) => server.close(resolve));
  });

  it("maintenance mode, with the exact command", async () => {
    await using node = await serve({
      authority: stranger,
      commonName: "maintenance-service.talos.dev",
      anonymous: true,
    });
    assertExplained(
      await version(node.address),
      /127.0.0.1 is in maintenance mode/,
      /talosctl apply-config --insecure --nodes 127.0.0.1 --file/,
    );
  });

  it("wrong CA: both fingerprints, and the context that fits", async () => {
    await using node = await serve({ authority: stranger });
    assertExplained(
      await version(node.address),
      /x509: certificate signed by unknown authority; context "test" trusts the CA \S+=, 127.0.0.1 shows \S+=; context "other" fits/,
      /talosctl config context other/,
    );
  });

  it("certificate of the server expired, and not valid yet, with the distance of the clocks", async () => {
    await using old = await serve({ from: hours(-30), until: hours(-5) });
    assertExplained(
      await version(old.address),
      /out of date since .*at least 5h \dm apart: the one here is ahead/,
      /date -u/,
    );
    await using young = await serve({ from: hours(3), until: hours(30) });
    assertExplained(
      await version(young.address),
      /not valid before .*is before .*at least [23]h \d+m apart.*behind/,
      /date -u/,
    );
  });

  it("name not in the certificate: its names, and the line to add", async () => {
    await using node = await serve({ addresses: ["10.5.0.2"] });
    assertExplained(
      await version(node.address),
      /x509: certificate is valid for 10.5.0.2, not 127.0.0.1/,
      /"certSANs":\["127.0.0.1"\]/,
    );
  });

  it("T-10: no address in the certificate but the loopback", async () => {
    await using node = await serve({ addresses: ["::1"] });
    assertExplained(await version(node.address), /its subnet overlaps that of pods or services/, /podSubnets/);
  });

  it("client certificate expired", async () => {
    await using node = await serve();
    const expired = await user(ca, hours(-24 * 400));
    assertExplained(
      await version(node.address, expired),
      /client certificate of context "test" is out of date since .*tls: expired certificate/,
      /talosctl config renew --secrets secrets.yaml/,
    );
  });

  it("client certificate of another CA", async () => {
    await using node = await serve();
    assertExplained(
      await version(node.address, await user(stranger)),
      /127.0.0.1 refuses the client: .*CA that the machine does not trust/,
      /talosctl config merge/,
    );
  });

  const failing = (error: OsError): ServiceImpl<typeof MachineService> => ({
    version() {
      throw error;
    },
  });

  it("a worker as endpoint", async () => {
    const error = new OsError({
      kind: "permission-denied",
      code: "apid/no-forwarding",
      message: "no request forwarding",
    });
    await using node = await serve({ machine: failing(error) });
    assertExplained(await version(node.address), /The endpoint is a worker.*no request forwarding/, /config endpoint/);
  });

  it("leaves a node alone that answers that its own etcd does not", async () => {
    const error = new OsError({
      kind: "unavailable",
      code: "grpc/connect",
      message: "failed to query etcd status: Cannot connect to 127.0.0.1:2379: connect ECONNREFUSED 127.0.0.1:2379",
      next: "talosctl service etcd",
    });
    await using node = await serve({ machine: failing(error) });
    const { err } = await version(node.address);
    assert.doesNotMatch(err, /cannot reach/);
    assert.match(err, /ECONNREFUSED[^]*next: talosctl service etcd/);
  });

  it("leaves a node alone that has a reason of its own, whatever it mentions", async () => {
    const error = new OsError({
      kind: "deadline-exceeded",
      code: "health/not-healthy",
      message: "healthcheck error: timed out waiting for etcd: getaddrinfo ENOTFOUND registry.example.org",
      next: "talosctl service etcd",
    });
    await using node = await serve({ machine: failing(error) });
    const { err } = await version(node.address);
    assert.doesNotMatch(err, /cannot reach/);
    assert.match(err, /next: talosctl service etcd/);
  });

  it("leaves a node alone that cannot reach a registry", async () => {
    const error = new OsError({
      kind: "unavailable",
      message: "failed to pull: getaddrinfo ENOTFOUND registry.example.org",
    });
    await using node = await serve({ machine: failing(error) });
    const { err } = await version(node.address);
    assert.doesNotMatch(err, /cannot reach/);
    assert.match(err, /rpc error: code = Unavailable desc = failed to pull/);
  });

  it("a node that the endpoint cannot reach, also in the words of an endpoint in Go", async () => {
    const message = 'connection error: desc = "transport: Error while dialing: dial tcp 10.5.0.9:50000: i/o timeout"';
    await using node = await serve({ machine: failing(new OsError({ kind: "unavailable", message })) });
    assertExplained(await version(node.address), /cannot reach 127.0.0.1: it is off/, /talosctl get members/);
  });

  it("a node that the endpoint cannot reach", async () => {
    const error = new OsError({
      kind: "unavailable",
      code: "grpc/connect",
      message: "Cannot connect to 10.5.0.9:50000",
    });
    await using node = await serve({ machine: failing(error) });
    assertExplained(
      await version(node.address),
      /cannot reach 127.0.0.1: it is off, or no member/,
      /talosctl get members/,
    );
  });

  it("a role that is missing: what the call needs, and what the certificate has", async () => {
    const error = new OsError({ kind: "permission-denied", code: "roles/not-authorized", message: "not authorized" });
    await using node = await serve({ machine: failing(error) });
    const backup = await user(ca, now, "os:etcd:backup");
    assertExplained(
      await version(node.address, backup),
      /Version needs one of os:admin, os:operator, os:reader; the client certificate has os:etcd:backup: .*not authorized/,
      /talosctl config new --roles os:admin/,
    );
  });

  it("a sensitive resource that a reader asks for", async () => {
    const denied = async function* (): AsyncGenerator<never> {
      yield* [];
      throw new OsError({ kind: "permission-denied", code: "roles/not-authorized", message: "not authorized" });
    };
    await using node = await serve({ state: { list: denied } });
    assertExplained(
      await run(node.address, ["get", "rd"], await user(ca, now, "os:reader"), ca),
      /State\/List is allowed to os:reader, but not resources of a sensitive type, which needs os:admin: .*not authorized/,
      /talosctl config new --roles os:admin/,
    );
  });
});

describe("talosctl doctor connection", () => {
  it("says what is wrong with an endpoint, and that a good one answers", async () => {
    await using node = await serve({ machine: { version: () => ({ messages: [{ version: { tag: "v1" } }] }) } });
    await version(node.address);
    const run = (...more: readonly string[]): Promise<Result> =>
      runCommand(["--talosconfig", join(folder, "talosconfig"), ...more, "doctor", "connection"], {
        env: { HOME: folder },
      });
    const good = await run();
    assert.equal(good.code, 0, good.err);
    assert.match(good.out, /✔ 127.0.0.1 answers \(v1\)/);
    const bad = await run("-e", "127.0.0.1:1");
    assert.equal(bad.code, 1);
    assert.match(bad.out, /✖ Port 1 of 127.0.0.1 is closed/);
  });
});
