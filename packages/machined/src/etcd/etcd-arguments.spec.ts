import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EtcdSpec } from "@talos-ts/machinery/resources/etcd";
import { etcdArguments, newCluster } from "./etcd-arguments.ts";

const spec = EtcdSpec.spec({
  name: "cp-1",
  image: "registry.k8s.io/etcd:v3.6.16",
  advertisedAddresses: ["10.5.0.2"],
  listenPeerAddresses: ["0.0.0.0"],
  listenClientAddresses: ["127.0.0.1", "fd00::2"],
});

describe("etcdArguments()", () => {
  it("C-23: begins a cluster of one with every certificate in place", () => {
    assert.deepEqual(etcdArguments(spec, newCluster(spec)), [
      "--advertise-client-urls=https://10.5.0.2:2379",
      "--auto-tls=false",
      "--cert-file=/system/secrets/etcd/server.crt",
      "--client-cert-auth=true",
      "--data-dir=/var/lib/etcd",
      "--experimental-compact-hash-check-enabled=true",
      "--experimental-initial-corrupt-check=true",
      "--experimental-watch-progress-notify-interval=5s",
      "--initial-advertise-peer-urls=https://10.5.0.2:2380",
      "--initial-cluster=cp-1=https://10.5.0.2:2380",
      "--initial-cluster-state=new",
      "--key-file=/system/secrets/etcd/server.key",
      "--listen-client-urls=https://127.0.0.1:2379,https://[fd00::2]:2379",
      "--listen-peer-urls=https://0.0.0.0:2380",
      "--name=cp-1",
      "--peer-auto-tls=false",
      "--peer-cert-file=/system/secrets/etcd/peer.crt",
      "--peer-client-cert-auth=true",
      "--peer-key-file=/system/secrets/etcd/peer.key",
      "--peer-trusted-ca-file=/system/secrets/etcd/ca.crt",
      "--trusted-ca-file=/system/secrets/etcd/ca.crt",
    ]);
  });

  it("says nothing about the cluster to a member that has data", () => {
    assert.ok(!etcdArguments(spec, undefined).some((text) => text.startsWith("--initial-cluster")));
  });

  it("T-44: takes extra arguments and refuses those that the machine chooses", () => {
    const extraArgs = {
      "quota-backend-bytes": { values: ["4294967296"] },
      "advertise-client-urls": { values: ["https://etcd.example:2379"] },
    };
    const args = etcdArguments({ ...spec, extraArgs }, newCluster(spec));
    assert.ok(args.includes("--quota-backend-bytes=4294967296"));
    assert.ok(args.includes("--advertise-client-urls=https://etcd.example:2379"));
    for (const name of [
      "name",
      "data-dir",
      "listen-peer-urls",
      "peer-key-file",
      "experimental-initial-corrupt-check",
    ]) {
      assert.throws(() => etcdArguments({ ...spec, extraArgs: { [name]: { values: ["x"] } } }, undefined), {
        message: `extra arg "${name}" is not allowed`,
      });
    }
  });
});
