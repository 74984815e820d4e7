import { chown, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { createResourceRegistry, namespaceType, resourceDefinitionType, stateService } from "@talos-ts/cosi";
import { createServer, healthService, reflectionService, type GrpcServer } from "@talos-ts/grpc";
import { paths, requestBounds, userIds } from "@talos-ts/machinery/constants";
import { resourceTypes } from "@talos-ts/machinery/resources";
import { State } from "@talos-ts/proto/cosi/resource";
import { ClusterService } from "@talos-ts/proto/cluster/cluster";
import { InspectService } from "@talos-ts/proto/inspect/inspect";
import { DebugService } from "@talos-ts/proto/machine/debug";
import { ImageService } from "@talos-ts/proto/machine/image";
import { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { OperationService } from "@talos-ts/proto/operation/operation";
import { EtcdRecoveryService } from "@talos-ts/proto/recovery/recovery";
import { StorageService } from "@talos-ts/proto/storage/storage";
import { TimeService } from "@talos-ts/proto/time/time";
import type { ApiDependencies } from "./api-dependencies.ts";
import { daemonPolicy, type DaemonName } from "./access/daemon-policy.ts";
import { daemonOnly } from "./access/daemon-only.ts";
import { roleInterceptor } from "./access/role-interceptor.ts";
import { statePolicy } from "./access/state-policy.ts";
import { debugService } from "./services/debug/index.ts";
import { imageService } from "./services/image/index.ts";
import { clusterService } from "./services/cluster/index.ts";
import { inspectService } from "./services/inspect/index.ts";
import { lifecycleService } from "./services/lifecycle/index.ts";
import { machineService } from "./services/machine/index.ts";
import { operationService } from "./services/operation/index.ts";
import { etcdRecoveryService } from "./services/recovery/index.ts";
import { storageService } from "./services/storage/index.ts";
import { timeService } from "./services/time/index.ts";

/** The sockets of machined: the API behind apid, and one narrow view of the state for each daemon. */
export interface ApiServers extends AsyncDisposable {
  /** Listens on every socket. */
  start(): Promise<void>;
}

/** Specs as clients print them; loaded with the first call, as it brings all of the configuration's YAML. */
const yaml = async () => (await import("@talos-ts/machinery/yaml")).writeYaml;

export function createApiServers(machine: ApiDependencies): ApiServers {
  const registry = createResourceRegistry([namespaceType, resourceDefinitionType, ...resourceTypes]);
  const api = createServer({ interceptors: [roleInterceptor(machine)], methodBounds: requestBounds })
    .addService(ImageService, imageService(machine))
    .addService(ClusterService, clusterService(machine))
    .addService(EtcdRecoveryService, etcdRecoveryService(machine))
    .addService(DebugService, debugService(machine))
    .addService(InspectService, inspectService(machine))
    .addService(LifecycleService, lifecycleService(machine))
    .addService(MachineService, machineService(machine))
    .addService(OperationService, operationService(machine))
    .addService(StorageService, storageService(machine))
    .addService(TimeService, timeService(machine))
    .addService(State, stateService(machine.state, { registry, yaml, filter: statePolicy(machine.state) }));
  addTools(api);
  const daemonServer = (daemon: DaemonName): GrpcServer =>
    createServer({ interceptors: [daemonOnly(machine, daemon)] }).addService(
      State,
      stateService(machine.state, { registry, yaml, filter: daemonPolicy(daemon) }),
    );
  const sockets: readonly { readonly server: GrpcServer; readonly path: string; readonly uid: number }[] = [
    { server: api, path: paths.machinedSocket, uid: userIds.apid },
    { server: daemonServer("apid"), path: paths.apidRuntimeSocket, uid: userIds.apid },
    { server: daemonServer("trustd"), path: paths.trustdRuntimeSocket, uid: userIds.trustd },
  ];

  return {
    async start() {
      for (const { server, path, uid } of sockets) {
        const unix = `${machine.root}${path}`;
        await mkdir(dirname(unix), { recursive: true, mode: 0o750 });
        // Only root may give files away; tests run as they are.
        if (process.getuid?.() === 0) await chown(dirname(unix), uid, uid);
        await server.listen(process.getuid?.() === 0 ? { unix, mode: 0o660, uid, gid: uid } : { unix, mode: 0o660 });
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(sockets.map(({ server }) => server.close()));
    },
  };
}

/** Adds what generic gRPC tools ask for: the health of each service, and the descriptions of all of them. */
function addTools(api: GrpcServer): void {
  const health = healthService();
  const reflection = reflectionService(() => api.services);
  api.addService(health.desc, health.impl).addService(reflection.desc, reflection.impl);
  for (const { typeName } of api.services) health.set(typeName, true);
}
