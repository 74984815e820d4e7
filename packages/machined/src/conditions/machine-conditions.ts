import { asType, pointerTo, type State } from "@talos-ts/cosi";
import {
  APIServiceConfig,
  ApiCertificate,
  EtcFileStatus,
  EtcdSpec,
  NetworkStatus,
  TimeStatus,
} from "@talos-ts/machinery/resources";
import { allOf, type Condition } from "./condition.ts";
import { resourceCondition } from "./resource-condition.ts";

/** Addresses and a name are there: what daemons with certificates need. */
export function networkReady(state: State): Condition {
  return resourceCondition(state, "network", pointerTo(NetworkStatus, "status"), (resource) => {
    const { spec } = asType(NetworkStatus, resource);
    return spec.addressReady && spec.hostnameReady;
  });
}

export function timeSynced(state: State): Condition {
  return resourceCondition(
    state,
    "time sync",
    pointerTo(TimeStatus, "node"),
    (resource) => asType(TimeStatus, resource).spec.synced,
  );
}

/** apid needs to know how to listen, and with which certificate. */
export function apidReady(state: State): Condition {
  return allOf(
    resourceCondition(state, "api certificates", pointerTo(ApiCertificate, "api")),
    resourceCondition(state, "config to be ready", pointerTo(APIServiceConfig, "apid")),
  );
}

/** Registries and customizations are in the configuration of the CRI containerd. */
export function criConfigured(state: State): Condition {
  const file = "cri/conf.d/cri.toml";
  return resourceCondition(state, `file "/etc/${file}" to exist`, pointerTo(EtcFileStatus, file));
}

/** etcd has a name, addresses and an image. */
export function etcdSpecReady(state: State): Condition {
  return resourceCondition(state, "etcd spec", pointerTo(EtcdSpec, EtcdSpec.id));
}
