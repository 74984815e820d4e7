import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createRequest,
  keyTypeOf,
  parseCertificate,
  parsePair,
  verifyCertificate,
  type ExtKeyUsage,
  type PemPair,
} from "@talos-ts/crypto";
import { describeLeaf, issueLeaf } from "./issue-leaf.ts";
import { leaves, type LeafInput, type LeafName } from "./leaves.ts";
import { createRoot, roots, type RootName } from "./roots.ts";
import { hour, noon, testEntropy } from "./testing.ts";
import { createWorkerRequest, signWorkerRequest } from "./worker-certificate.ts";

const sans = { dnsNames: ["node-1", "node-1.lan"], ipAddresses: ["10.5.0.2", "fd00::2"] };
const server = { fqdn: "node-1.lan", ...sans };
const etcd = { hostname: "node-1", ...sans };

const inputs: { readonly [N in LeafName]: LeafInput<N> } = {
  apidServer: server,
  apidClient: server,
  maintenanceServer: sans,
  trustdServer: server,
  talosconfig: { roles: ["os:reader", "os:admin", "os:admin"] },
  etcdServer: etcd,
  etcdPeer: etcd,
  etcdAdmin: undefined,
  etcdApiServer: undefined,
  apiServer: sans,
  apiServerKubeletClient: undefined,
  frontProxy: undefined,
  controllerManager: undefined,
  scheduler: undefined,
  internalAdmin: undefined,
  userAdmin: undefined,
};

const server1 = "CN=node-1.lan";
const member = "CN=node-1";
/** root | subject | number of SANs | usages | key usages | hours | backdated seconds */
const expected: Readonly<Record<LeafName, string>> = {
  apidServer: `os|${server1}|4|serverAuth|digitalSignature|24|0`,
  apidClient: `os|O=os:impersonator ${server1}|0|clientAuth|digitalSignature|24|0`,
  maintenanceServer: "maintenance|CN=maintenance-service.talos.dev|4|serverAuth|digitalSignature|24|0",
  trustdServer: `os|${server1}|4|serverAuth|digitalSignature+keyEncipherment|24|0`,
  talosconfig: "os|O=os:admin O=os:reader|0|clientAuth|digitalSignature|8760|0",
  etcdServer: `etcd|${member}|7|serverAuth+clientAuth|digitalSignature+keyEncipherment|87600|0`,
  etcdPeer: `etcd|${member}|4|serverAuth+clientAuth|digitalSignature+keyEncipherment|87600|0`,
  etcdAdmin: "etcd|CN=talos|0|clientAuth|digitalSignature+keyEncipherment|87600|0",
  etcdApiServer: "etcd|CN=kube-apiserver|0|clientAuth|digitalSignature+keyEncipherment|87600|0",
  apiServer: "k8s|O=kube-master CN=kube-apiserver|4|serverAuth|digitalSignature+keyEncipherment|8760|0",
  apiServerKubeletClient:
    "k8s|O=system:masters CN=apiserver-kubelet-client|0|clientAuth|digitalSignature+keyEncipherment|8760|0",
  frontProxy: "k8sAggregator|CN=front-proxy-client|0|clientAuth|digitalSignature+keyEncipherment|8760|0",
  controllerManager:
    "k8s|O=system:kube-controller-manager CN=system:kube-controller-manager|0|clientAuth|digitalSignature+keyEncipherment|8760|10",
  scheduler:
    "k8s|O=system:kube-scheduler CN=system:kube-scheduler|0|clientAuth|digitalSignature+keyEncipherment|8760|10",
  internalAdmin: "k8s|O=system:masters CN=talos:admin|0|clientAuth|digitalSignature+keyEncipherment|8760|10",
  userAdmin: "k8s|O=system:masters CN=admin|0|clientAuth|digitalSignature+keyEncipherment|8760|10",
};

const authorities = new Map<RootName, PemPair>();
for (const name of Object.keys(roots) as RootName[]) {
  authorities.set(name, (await createRoot(name, new Date(noon.getTime() - hour), testEntropy(name))).pem);
}
const authority = (name: RootName): PemPair => authorities.get(name) ?? { crt: "", key: "" };

/** A name that is only known as one of many asks for the input of all of them at once. */
const inputOf = (name: LeafName): LeafInput<LeafName> => inputs[name] as LeafInput<LeafName>;

function describeRow(name: LeafName): string {
  const leaf = describeLeaf(name, inputOf(name), { now: noon });
  const subject = [
    ...(leaf.subject.organizations ?? []).map((value) => `O=${value}`),
    ...(leaf.subject.commonName === undefined ? [] : [`CN=${leaf.subject.commonName}`]),
  ];
  return [
    leaves[name].root,
    subject.join(" "),
    (leaf.dnsNames ?? []).length + (leaf.ipAddresses ?? []).length,
    leaf.extKeyUsages.join("+"),
    leaf.keyUsages.join("+"),
    (leaf.notAfter.getTime() - noon.getTime()) / hour,
    (noon.getTime() - leaf.notBefore.getTime()) / 1000,
  ].join("|");
}

describe("leaves", () => {
  for (const name of Object.keys(leaves) as LeafName[]) {
    it(`${name} says what it must, and its CA vouches for it`, async () => {
      assert.equal(describeRow(name), expected[name]);
      const pair = authority(leaves[name].root);
      const issued = await issueLeaf(name, pair, inputOf(name), { now: noon, entropy: testEntropy(name) });
      const { certificate, key } = parsePair(issued);
      const root = parseCertificate(pair.crt);
      assert.equal(keyTypeOf(key), keyTypeOf(root.publicKey));
      for (const usage of leaves[name].extKeyUsages as readonly Exclude<ExtKeyUsage, "any">[]) {
        const host = usage === "serverAuth" ? { host: "10.5.0.2" } : {};
        verifyCertificate(certificate, { roots: [root], at: noon, usage, ...host });
      }
    });
  }
  it("etcdServer also answers on the loopback addresses", () => {
    const { dnsNames, ipAddresses } = describeLeaf("etcdServer", etcd, { now: noon });
    assert.deepEqual(dnsNames, [...sans.dnsNames, "localhost"]);
    assert.deepEqual(ipAddresses, [...sans.ipAddresses, "127.0.0.1", "::1"]);
  });
});

describe("issueLeaf()", () => {
  it("honours another lifetime", async () => {
    const options = { now: noon, lifetimeMs: 600_000, entropy: testEntropy() };
    const { crt } = await issueLeaf("talosconfig", authority("os"), { roles: ["os:admin"] }, options);
    assert.equal(parseCertificate(crt).notAfter.getTime() - noon.getTime(), 600_000);
  });
  it("refuses a CA without its key", async () => {
    const pair = { crt: authority("os").crt, key: "" };
    const issued = issueLeaf("apidClient", pair, { fqdn: "x" }, { now: noon });
    await assert.rejects(issued, { code: "crypto/bad-pem" });
  });
});

describe("signWorkerRequest()", () => {
  it("answers a worker with a server certificate for its names", async () => {
    const ca = authority("os");
    const { csr, key } = await createWorkerRequest(ca.crt, server, testEntropy());
    const { certificate } = parsePair({ crt: signWorkerRequest(ca, csr, { now: noon }), key });
    const chain = { roots: [parseCertificate(ca.crt)], at: noon } as const;
    verifyCertificate(certificate, { ...chain, usage: "serverAuth", host: "fd00::2" });
    assert.throws(() => verifyCertificate(certificate, { ...chain, usage: "clientAuth" }), {
      code: "crypto/wrong-usage",
    });
    assert.equal(certificate.subject.commonName, "node-1.lan");
  });
  it("grants no roles, whatever the request asks for", async () => {
    const { csr } = await createRequest("ed25519", { subject: { organizations: ["os:admin"], commonName: "x" } });
    const { subject } = parseCertificate(signWorkerRequest(authority("os"), csr, { now: noon }));
    assert.deepEqual(subject.organizations, []);
  });
  it("refuses what is not a request", () => {
    assert.throws(() => signWorkerRequest(authority("os"), "x", { now: noon }), { code: "crypto/bad-pem" });
  });
});
