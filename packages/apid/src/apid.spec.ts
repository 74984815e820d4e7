import assert from "node:assert/strict";
import { connect as connectTls } from "node:tls";
import { before, describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { freePort } from "@talos-ts/host/testing";
import { updateTyped } from "@talos-ts/cosi";
import { issuePair, tlsPrivateKey } from "@talos-ts/crypto";
import { createClient, type ClientTlsMaterial } from "@talos-ts/grpc";
import { APIServiceConfig } from "@talos-ts/machinery/resources/runtime";
import { ApiCertificate } from "@talos-ts/machinery/resources/secrets";
import { roles } from "@talos-ts/machinery/roles";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import { createCluster, type Cluster } from "./testing/authority.ts";
import { configPointer, connect, createNode, type Node } from "./testing/node.ts";

let cluster: Cluster;
let stranger: Cluster;
let admin: ClientTlsMaterial;
let port: number;
before(async () => {
  cluster = await createCluster();
  stranger = await createCluster();
  admin = await cluster.user(roles.admin);
  port = await freePort();
});

const one = "127.77.0.1";
const two = "127.77.0.2";
const three = "127.77.0.3";
const down = "127.77.0.9";

const lastRoles = (node: Node): readonly string[] | undefined => node.machined.received.at(-1)?.getAll("talos-role");

describe("runApid()", () => {
  it("C-08: serves only clients with a certificate of an accepted CA", async () => {
    await using node = await createNode({ cluster, address: one, port });
    await using known = connect(node, { material: admin });
    const { messages } = await known.client.version({});
    assert.deepEqual(
      messages.map(({ version, metadata }) => [version?.tag, metadata]),
      [[one, undefined]],
    );
    await using nameless = connect(node, { material: { ca: cluster.ca.pem.crt } });
    await assert.rejects(nameless.client.version({}), { kind: "unavailable" });
    const foreign = { ...(await stranger.user(roles.admin)), ca: cluster.ca.pem.crt };
    await using strange = connect(node, { material: foreign });
    await assert.rejects(strange.client.version({}), { kind: "unavailable" });
    const pair = await cluster.server(two);
    const serverOnly = { ca: cluster.ca.pem.crt, cert: pair.crt, key: pair.key.replaceAll("ED25519 ", "") };
    await using server = connect(node, { material: serverOnly });
    await assert.rejects(server.client.version({}), { kind: "unavailable" });
    assert.equal(node.machined.received.length, 1);
  });

  it("C-08: refuses a certificate that is not for clients alone", async () => {
    await using node = await createNode({ cluster, address: one, port });
    await using both = connect(node, { material: await cluster.versatile(roles.admin) });
    await assert.rejects(both.client.version({}), {
      kind: "unauthenticated",
      message: 'certificate "CN=both,O=os:admin" is missing the client auth extended key usage',
    });
    assert.equal(node.machined.received.length, 0);
  });

  it("C-08: speaks HTTP/2 over TLS 1.3, and nothing older", async () => {
    await using _node = await createNode({ cluster, address: one, port });
    const offer = (maxVersion: "TLSv1.1" | "TLSv1.2" | "TLSv1.3"): Promise<string> =>
      new Promise((resolve, reject) => {
        const { ca, cert, key } = admin as { ca: string; cert: string; key: string };
        const options = { host: one, port, ca, cert, key, ALPNProtocols: ["h2"], minVersion: "TLSv1" } as const;
        const socket = connectTls({ ...options, maxVersion, ciphers: "DEFAULT@SECLEVEL=0" }, () => {
          resolve(`${String(socket.getProtocol())} ${String(socket.alpnProtocol)}`);
          socket.destroy();
        });
        socket.on("error", reject);
      });
    assert.equal(await offer("TLSv1.3"), "TLSv1.3 h2");
    await assert.rejects(offer("TLSv1.2"));
    await assert.rejects(offer("TLSv1.1"));
  });

  it("refuses a client certificate with the alert that says why", async () => {
    await using _node = await createNode({ cluster, address: one, port });
    const now = Date.now();
    const issue = async (from: Cluster, hours: number): Promise<ClientTlsMaterial> => {
      const validity = {
        notBefore: new Date(now + (hours - 1) * 3_600_000),
        notAfter: new Date(now + hours * 3_600_000),
      };
      const pair = await issuePair(from.ca, {
        subject: { organizations: [roles.admin] },
        keyUsages: ["digitalSignature"],
        extKeyUsages: ["clientAuth"],
        ...validity,
      });
      return { cert: pair.crt, key: tlsPrivateKey(pair.key) };
    };
    const refusal = (material: ClientTlsMaterial): Promise<string> =>
      new Promise((resolve) => {
        const { cert, key } = material as { cert?: string; key?: string };
        const own = cert === undefined || key === undefined ? {} : { cert, key };
        const options = { host: one, port, ca: cluster.ca.pem.crt, ALPNProtocols: ["h2"], rejectUnauthorized: false };
        const socket = connectTls({ ...options, ...own });
        socket.once("error", (err: NodeJS.ErrnoException) => resolve(err.code ?? err.message));
        socket.once("close", () => resolve("closed without a word"));
      });
    assert.match(await refusal(await issue(stranger, 1)), /ALERT_UNKNOWN_CA$/);
    assert.match(await refusal(await issue(cluster, -1)), /ALERT_CERTIFICATE_EXPIRED$/);
    assert.match(await refusal({}), /ALERT_CERTIFICATE_REQUIRED$/);
    const self = await createCluster();
    assert.match(
      await refusal({ cert: self.ca.pem.crt, key: tlsPrivateKey(self.ca.pem.key) }),
      /ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE)$/,
    );
  });

  it("leaves one line for each call: who, what, for whom, how it ended, and nothing of its contents", async () => {
    await using node = await createNode({ cluster, address: one, port });
    await using caller = connect(node, { material: admin });
    await caller.client.version({}, { metadata: { secret: "hush" } });
    await assert.rejects(caller.client.hostname({}));
    await caller.client.version({}, { metadata: { nodes: [one] } });
    const lines = node.lines.filter((line) => line.startsWith("audit "));
    const records = lines.map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);
    const own = records.filter((record) => (record["roles"] as string[]).includes(roles.admin));
    assert.deepEqual(
      own.map(({ method, status, nodes }) => [method, status, nodes]),
      [
        ["/machine.MachineService/Version", 0, []],
        ["/machine.MachineService/Hostname", 7, []],
        ["/machine.MachineService/Version", 0, [one]],
      ],
    );
    for (const { caller: print, from, durationMs } of own) {
      assert.match(String(print), /^[0-9a-f]{16}$/);
      assert.match(String(from), /^127\./);
      assert.equal(typeof durationMs, "number");
    }
    assert.doesNotMatch(lines.join(), /hush/);
  });

  it("trusts nobody when there is no accepted CA", async () => {
    await using node = await createNode({ cluster, address: one, port, certificates: { acceptedCAs: [] } });
    await using caller = connect(node, { material: admin });
    await assert.rejects(caller.client.version({}), { kind: "unavailable" });
  });

  it("tells machined the roles of the certificate, whatever the caller says", async () => {
    await using node = await createNode({ cluster, address: one, port });
    await using reader = connect(node, { material: await cluster.user(roles.reader) });
    await reader.client.version({}, { metadata: { "talos-role": [roles.admin], other: "kept" } });
    assert.deepEqual(lastRoles(node), [roles.reader]);
    assert.equal(node.machined.received.at(-1)?.get("other"), "kept");
    await using both = connect(node, { material: await cluster.user(roles.operator, roles.etcdBackup) });
    await both.client.version({});
    assert.deepEqual(lastRoles(node), [roles.etcdBackup, roles.operator]);
    await using none = connect(node, { material: await cluster.user() });
    await none.client.version({}, { metadata: { "talos-role": roles.admin } });
    assert.deepEqual(lastRoles(node), []);
  });

  it("lets only an impersonator speak for others", async () => {
    await using node = await createNode({ cluster, address: one, port });
    await using impersonator = connect(node, { material: await cluster.user(roles.impersonator) });
    await impersonator.client.version({}, { metadata: { "talos-role": [roles.operator, roles.reader] } });
    assert.deepEqual(lastRoles(node), [roles.operator, roles.reader]);
    await impersonator.client.version({});
    assert.deepEqual(lastRoles(node), [roles.impersonator]);
  });

  it("passes machined's errors, streams and cancellation on", async () => {
    await using node = await createNode({ cluster, address: one, port });
    await using caller = connect(node, { material: admin });
    await assert.rejects(caller.client.hostname({}), { kind: "permission-denied", message: "not authorized" });
    const lines = await Array.fromAsync(caller.client.dmesg({}), ({ bytes }) => Buffer.from(bytes).toString());
    assert.deepEqual(lines, [`${one} 1`, `${one} 2`]);
    for await (const _ of caller.client.logs({})) break;
    await node.machined.cancelled;
  });

  it("forwards `node` to that node with the caller's roles and without a route", async () => {
    await using first = await createNode({ cluster, address: one, port });
    await using second = await createNode({ cluster, address: two, port, controlPlane: false });
    await using reader = connect(first, { material: await cluster.user(roles.reader) });
    const { messages } = await reader.client.version({}, { metadata: { node: two, runtime: "Talos" } });
    assert.deepEqual(
      messages.map(({ version }) => version?.tag),
      [two],
    );
    assert.equal(first.machined.received.length, 0);
    const [metadata] = second.machined.received;
    assert.deepEqual(metadata?.getAll("talos-role"), [roles.reader]);
    assert.equal(metadata.get("proxyfrom"), first.target);
    assert.deepEqual([metadata.has("node"), metadata.has("nodes"), metadata.get("runtime")], [false, false, "Talos"]);
    await assert.rejects(reader.client.version({}, { metadata: { node: down } }), {
      kind: "unavailable",
      message: new RegExp(`Cannot connect to ${down}:${String(port)}: .*ECONNREFUSED`),
    });
    await assert.rejects(reader.client.version({}, { metadata: { node: `${two}:50000` } }), {
      kind: "internal",
      message: `invalid target "${two}:50000"`,
    });
  });

  it("joins the answers of several nodes, with the failures among them", async () => {
    await using first = await createNode({ cluster, address: one, port });
    await using _second = await createNode({ cluster, address: two, port, controlPlane: false });
    await using _third = await createNode({ cluster, address: three, port });
    await using caller = connect(first, { material: admin });
    const metadata = { nodes: [one, two, down, three] };
    const { messages } = await caller.client.version({}, { metadata });
    const byNode = new Map(messages.map((message) => [message.metadata?.hostname, message]));
    assert.deepEqual([...byNode.keys()].map(String).sort(), [one, two, three, down]);
    for (const node of [one, two, three]) {
      assert.equal(byNode.get(node)?.version?.tag, node);
      assert.equal(byNode.get(node)?.metadata?.error, "");
    }
    const failed = byNode.get(down)?.metadata;
    assert.match(failed?.error ?? "", /^rpc error: code = Unavailable desc = Cannot connect to 127\.77\.0\.9:/);
    assert.equal(failed?.status?.code, 14);

    const denied = await caller.client.hostname({}, { metadata: { nodes: [one, two] } });
    assert.deepEqual(
      denied.messages.map((message) => message.metadata?.error),
      Array.from({ length: 2 }, () => "rpc error: code = PermissionDenied desc = not authorized"),
    );
  });

  it("marks the messages of several streams and sends them as they come", async () => {
    await using first = await createNode({ cluster, address: one, port });
    await using second = await createNode({ cluster, address: two, port });
    await using caller = connect(first, { material: admin });
    const seen = new Map<string, string[]>();
    for await (const { metadata, bytes } of caller.client.dmesg({}, { metadata: { nodes: [one, down, two] } })) {
      const text = metadata?.error === "" ? Buffer.from(bytes).toString() : (metadata?.error ?? "");
      const node = metadata?.hostname ?? "";
      seen.set(node, [...(seen.get(node) ?? []), text]);
    }
    assert.deepEqual(seen.get(one), [`${one} 1`, `${one} 2`]);
    assert.deepEqual(seen.get(two), [`${two} 1`, `${two} 2`]);
    assert.match(seen.get(down)?.join() ?? "", /^rpc error: code = Unavailable desc = /);

    const open = caller.client.logs({}, { metadata: { nodes: [one, two] } });
    const hosts = [await open.next(), await open.next()].map(({ value }) => value?.metadata?.hostname ?? "");
    assert.deepEqual(hosts.sort(), [one, two]);
    await open.return?.();
    await Promise.all([first.machined.cancelled, second.machined.cancelled]);
  });

  it("gives every request of a client stream to every node", async () => {
    await using first = await createNode({ cluster, address: one, port });
    await using _second = await createNode({ cluster, address: two, port });
    await using caller = connect(first, { material: admin });
    async function* upload(): AsyncGenerator<{ bytes: Uint8Array }> {
      for (let part = 0; part < 5; part += 1) yield { bytes: new Uint8Array(300_000) };
    }
    const { messages } = await caller.client.etcdRecover(upload(), { metadata: { nodes: [one, two, down] } });
    const texts = messages.map(({ metadata }) => `${metadata?.hostname ?? ""}: ${metadata?.error ?? ""}`).sort();
    assert.deepEqual(texts.slice(0, 2), [`${one}: ${one} got 1500000`, `${two}: ${two} got 1500000`]);
    assert.match(texts[2] ?? "", /Unavailable/);
  });

  it("T-16: a worker answers for itself by address and by name, and forwards nothing", async () => {
    await using worker = await createNode({ cluster, address: one, port, controlPlane: false });
    await using caller = connect(worker, { material: admin });
    for (const self of [one, "one", "one.example.org", "fd00::7"]) {
      const { messages } = await caller.client.version({}, { metadata: { nodes: self } });
      assert.equal(messages[0]?.version?.tag, one, self);
    }
    await assert.rejects(caller.client.version({}, { metadata: { nodes: [two] } }), {
      kind: "permission-denied",
      message: "no request forwarding",
    });
  });

  it("refuses to send methods to many that cannot be joined", async () => {
    await using node = await createNode({ cluster, address: one, port });
    await using caller = connect(node, { material: admin });
    const state = createClient(StateService, caller.channel);
    await assert.rejects(state.get({}, { metadata: { nodes: [one, two] } }), {
      kind: "invalid-argument",
      message: "one-2-many proxying is not supported for method /cosi.resource.State/Get",
    });
    assert.ok(node.lines.some((line) => line.includes("/cosi.resource.State/Get")));
  });

  it("rotates certificates without dropping connections, and forwards with the new ones", async () => {
    await using first = await createNode({ cluster, address: one, port });
    await using second = await createNode({ cluster, address: two, port });
    await using old = connect(first, { material: admin });
    await old.client.version({}, { metadata: { node: two } });
    const next = await createCluster();
    for (const [node, address] of [
      [second, two],
      [first, one],
    ] as const) {
      const [server, client] = [await next.server(address), await next.client(address)];
      await node.recertify((spec) => ({ ...spec, server, client, acceptedCAs: [{ crt: next.ca.pem.crt }] }));
    }
    assert.equal((await old.client.version({})).messages[0]?.version?.tag, one);
    assert.equal((await old.client.version({}, { metadata: { node: two } })).messages[0]?.version?.tag, two);
    await using renewed = connect(first, { material: await next.user(roles.admin) });
    await renewed.client.version({}, { metadata: { nodes: [one, two] } });
    const stale = { ...admin, ca: next.ca.pem.crt };
    await using refused = connect(first, { material: stale });
    await assert.rejects(refused.client.version({}), { kind: "unavailable" });
  });

  it("keeps the last good certificates when new ones cannot be used", async () => {
    await using node = await createNode({ cluster, address: one, port });
    const { key } = await cluster.server(two);
    await updateTyped(node.state, ApiCertificate, ApiCertificate.id, (spec) => ({
      ...spec,
      server: spec.server && { ...spec.server, key },
    }));
    await node.said("cannot use new certificates: Cannot use the server certificate of the API: ");
    await using caller = connect(node, { material: admin });
    await caller.client.version({});
    assert.ok(!node.lines.some((line) => line.includes("PRIVATE KEY") || line.includes(key.slice(40, 60))));
  });

  it("D12: in maintenance takes any client as a reader of this node, until it is configured", async () => {
    const maintenance = { nodeRoutingDisabled: true, readonlyRoleMode: true, skipVerifyingClientCert: true };
    await using node = await createNode({
      cluster: stranger,
      address: one,
      port,
      controlPlane: false,
      mode: maintenance,
      certificates: { acceptedCAs: [] },
    });
    await using anyone = connect(node, { insecure: true });
    const metadata = { nodes: [two, three], "talos-role": roles.admin };
    assert.equal((await anyone.client.version({}, { metadata })).messages[0]?.version?.tag, one);
    assert.deepEqual(lastRoles(node), [roles.reader]);
    await using claimed = connect(node, { insecure: true, material: await stranger.user(roles.admin) });
    await claimed.client.version({});
    assert.deepEqual(lastRoles(node), [roles.reader]);

    const server = await cluster.server(one);
    await node.recertify((spec) => ({ ...spec, server, acceptedCAs: [{ crt: cluster.ca.pem.crt }] }));
    await node.relisten(() =>
      updateTyped(node.state, APIServiceConfig, APIServiceConfig.id, ({ listenAddress }) =>
        APIServiceConfig.spec({ listenAddress }),
      ),
    );
    await using caller = connect(node, { material: admin });
    await caller.client.version({});
    assert.deepEqual(lastRoles(node), [roles.admin]);
    await assert.rejects(anyone.client.version({}), { kind: "unavailable" });
  });

  it("moves to another address, closes without a configuration, and comes back", async () => {
    await using node = await createNode({ cluster, address: one, port });
    await using caller = connect(node, { material: admin });
    await caller.client.version({});
    await node.relisten(() =>
      updateTyped(node.state, APIServiceConfig, APIServiceConfig.id, (spec) => ({
        ...spec,
        listenAddress: `${two}:${String(port)}`,
      })),
    );
    // Calls that cross the announcement of the end are served.
    let refusal: unknown;
    while (refusal === undefined)
      refusal = await caller.client.version({}).then(
        () => undefined,
        (err: unknown) => OsError.from(err),
      );
    assert.equal((refusal as OsError).kind, "unavailable");
    await using moved = connect({ target: `${two}:${String(port)}` }, { material: admin, serverName: one });
    const config = await node.state.get(configPointer);
    await moved.client.version({});
    await node.state.destroy(configPointer);
    await node.relisten(() => node.state.create({ ...config, metadata: { ...config.metadata, version: 0 } }));
    await moved.client.version({});
    assert.ok(node.lines.includes("closed: there is no configuration for the API"));
  });

  it("lets calls finish when told to stop, and takes no new ones", async () => {
    await using node = await createNode({ cluster, address: one, port });
    await using caller = connect(node, { material: admin });
    const stream = caller.client.logs({});
    await stream.next();
    const stopped = node.stop();
    await node.said("shutting down");
    await using late = connect(node, { material: admin });
    await assert.rejects(late.client.version({}), { kind: "unavailable" });
    await stream.return?.();
    await stopped;
    await node.machined.cancelled;
  });
});
