import { defineResource, field, list, map, text, type SpecOf } from "../dsl/index.ts";
import { argValues } from "../k8s/arg-values.ts";
import { ip } from "../values/index.ts";

/** Start parameters of etcd: name, image, resolved addresses and arguments. */
export const EtcdSpec = defineResource({
  type: "EtcdSpecs.etcd.talos.dev",
  namespace: "etcd",
  columns: [
    ["Name", "{.name}"],
    ["AdvertisedAddresses", "{.advertisedAddresses}"],
    ["ListenPeerAddresses", "{.listenPeerAddresses}"],
    ["ListenClientAddresses", "{.listenClientAddresses}"],
  ],
  id: "etcd",
  spec: {
    name: field(1, text),
    advertisedAddresses: field(2, list(ip)),
    listenPeerAddresses: field(5, list(ip)),
    listenClientAddresses: field(6, list(ip)),
    image: field(3, text),
    extraArgs: field(7, map(argValues)),
  },
});

export type EtcdSpecSpec = SpecOf<typeof EtcdSpec>;
