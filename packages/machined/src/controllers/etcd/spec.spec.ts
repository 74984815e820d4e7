import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcdConfig, EtcdSpec, type EtcdConfigSpec } from "@talos-ts/machinery/resources/etcd";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { etcdSpecController } from "./spec.ts";

interface Case {
  readonly name: string;
  readonly config: Partial<EtcdConfigSpec>;
  readonly advertised: readonly string[];
  readonly peers: readonly string[];
  readonly clients: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "announces the first routed address and listens everywhere",
    config: {},
    advertised: ["10.0.0.5"],
    peers: ["0.0.0.0"],
    clients: ["0.0.0.0"],
  },
  {
    name: "T-17: skips a virtual address",
    config: { advertiseExcludeSubnets: ["10.0.0.5"] },
    advertised: ["192.168.1.1"],
    peers: ["0.0.0.0"],
    clients: ["0.0.0.0"],
  },
  {
    name: "takes every current address of the advertised networks and listens on those",
    config: {
      advertiseValidSubnets: ["192.168.0.0/16", "172.16.0.0/12"],
      listenValidSubnets: ["192.168.0.0/16", "2001::/16"],
    },
    advertised: ["192.168.1.1", "192.168.1.50", "172.20.0.1"],
    peers: ["192.168.1.1", "2001:db8::1"],
    clients: ["127.0.0.1", "192.168.1.1", "2001:db8::1"],
  },
  {
    name: "keeps out excluded listen networks",
    config: { listenExcludeSubnets: ["192.168.0.0/16"] },
    advertised: ["10.0.0.5"],
    peers: ["10.0.0.5", "2001:db8::1"],
    clients: ["127.0.0.1", "10.0.0.5", "2001:db8::1"],
  },
];

describe("etcdSpecController()", () => {
  for (const { name, config, advertised, peers, clients } of cases) {
    it(name, async () => {
      await using test = controllerTest({ register: [etcdSpecController()] });
      await test.create(
        ...network(),
        createResource(EtcdConfig, "etcd", EtcdConfig.spec({ image: "etcd", ...config })),
      );
      await test.assertResource(EtcdSpec, "etcd", ({ spec }) => {
        assert.equal(spec.name, "worker1");
        assert.equal(spec.image, "etcd");
        assert.deepEqual(spec.advertisedAddresses, advertised);
        assert.deepEqual(spec.listenPeerAddresses, peers);
        assert.deepEqual(spec.listenClientAddresses, clients);
      });
    });
  }

  it("says why there is no spec when no address is suitable, and takes it back with the configuration", async () => {
    await using test = controllerTest({ register: [etcdSpecController()] });
    const config = createResource(EtcdConfig, "etcd", EtcdConfig.spec({ advertiseValidSubnets: ["1.0.0.0/8"] }));
    await test.create(...network(), config);
    await test.settled();
    await test.assertNoResource(EtcdSpec, "etcd");
    assert.ok(test.logs.some(({ message }) => message.startsWith("no suitable address for etcd")));
    await test.update(EtcdConfig, "etcd", (spec) => ({ ...spec, advertiseValidSubnets: [] }));
    await test.assertResource(EtcdSpec, "etcd");
    await test.remove(config);
    await test.assertNoResource(EtcdSpec, "etcd");
  });
});

function network() {
  const routed = ["10.0.0.5/24", "192.168.1.1/24", "2001:db8::1/32"];
  return [
    createResource(HostnameStatus, "hostname", HostnameStatus.spec({ hostname: "worker1", domainname: "some.domain" })),
    createResource(NodeAddress, "routed-no-k8s", NodeAddress.spec({ addresses: routed })),
    createResource(
      NodeAddress,
      "current-no-k8s",
      NodeAddress.spec({ addresses: [...routed, "192.168.1.50/32", "172.20.0.1/16"] }),
    ),
  ];
}
