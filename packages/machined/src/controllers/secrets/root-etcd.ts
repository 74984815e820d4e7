import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { isControlPlane, parseMachineType } from "@talos-ts/machinery/config";
import { EtcdRootSecret } from "@talos-ts/machinery/resources/secrets";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { pairFromConfig } from "./internal/config-pem.ts";
import { missingSecret } from "./internal/missing-secret.ts";

/** Authority of etcd, from the configuration of control plane machines. */
export function rootEtcdController(): Controller {
  return reduceController({
    name: "secrets.RootEtcdController",
    inputs: [activeConfigInput],
    outputs: [exclusive(EtcdRootSecret)],
    async reduce(context) {
      const { machine, cluster } = (await activeConfig(context)) ?? {};
      if (machine === undefined || cluster === undefined || !isControlPlane(parseMachineType(machine.type))) return [];
      const etcdCA = pairFromConfig(cluster.etcd?.ca, "cluster.etcd.ca");
      if (etcdCA === undefined) throw missingSecret("cluster.etcdCA");
      return [createResource(EtcdRootSecret, EtcdRootSecret.id, EtcdRootSecret.spec({ etcdCA }))];
    },
  });
}
