import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@talos-ts/base";
import {
  createInMemoryState,
  createNamespacedState,
  createResource,
  createRuntime,
  metaTypeInfos,
  registerNamespace,
  registerResourceType,
  wrapCore,
} from "@talos-ts/cosi";
import { createChannel, createClient, type Client } from "@talos-ts/grpc";
import { createMemoryLinux, type MemoryLinux, type MemoryLinuxOptions } from "@talos-ts/linux";
import type { Config } from "@talos-ts/machinery/config";
import { metadataKeys, paths, type PlatformMode } from "@talos-ts/machinery/constants";
import { namespaces, resourceTypes } from "@talos-ts/machinery/resources";
import { ServicePID } from "@talos-ts/machinery/resources/runtime";
import { roles } from "@talos-ts/machinery/roles";
import type { DescService } from "@bufbuild/protobuf";
import { createDiskBootLoader } from "../boot-loader/disk-boot-loader.ts";
import { createConfigStore } from "../config/state-config-store.ts";
import { createEventBus } from "../events/event-bus.ts";
import { createMachineImages } from "../images/machine-images.ts";
import { createLogRing } from "../logs/log-ring.ts";
import { createLogStore } from "../logs/log-store.ts";
import { createLogger } from "../logs/logger.ts";
import { createMetaStore } from "../meta/create-meta-store.ts";
import { containerPlatform } from "../platform/container.ts";
import type { SequenceName, SequenceRequest } from "../sequence.ts";
import type { ApiDependencies } from "./api-dependencies.ts";
import { createProcessRegistrar } from "../services/process-registrar.ts";
import { createServiceManager } from "../services/service-manager.ts";
import { createApiServers } from "./api-servers.ts";

/** A sequence that a handler asked for; nothing of it is run. */
export interface AskedSequence {
  readonly name: SequenceName;
  readonly request: SequenceRequest;
  readonly takeOver: boolean;
}

/** A machine whose kernel and sequences are staged, with its API on real sockets below a temporary root. */
export interface TestNode extends AsyncDisposable {
  readonly machine: ApiDependencies;
  readonly linux: MemoryLinux;
  readonly root: string;
  readonly sequences: readonly AskedSequence[];
  /** Calls as apid does for a user with these roles. @default the administrator */
  client<S extends DescService>(service: S, ...callerRoles: readonly string[]): Client<S>;
}

/** PID of whoever calls, in the eyes of the kernel. */
const callerPid = 4242;

/**
 * @param caller The service that the kernel finds at the other end of the socket.
 * @param mode Kind of machine. @default {"container"}
 */
export async function createTestNode(
  options: MemoryLinuxOptions & { readonly caller?: string; readonly mode?: PlatformMode } = {},
): Promise<TestNode> {
  await using cleanup = new AsyncDisposableStack();
  const root = await mkdtemp(join(tmpdir(), "api-"));
  cleanup.defer(() => rm(root, { recursive: true, force: true }));
  const linux = createMemoryLinux(options);
  const state = wrapCore(createNamespacedState(() => createInMemoryState()));
  await registerNamespace(state, "meta", "Types and namespaces.");
  for (const { name, description } of namespaces) await registerNamespace(state, name, description);
  for (const info of [...metaTypeInfos, ...resourceTypes]) await registerResourceType(state, info);

  const caller = options.caller ?? "apid";
  await state.create(createResource(ServicePID, caller, ServicePID.spec({ pid: callerPid })));
  const services = createServiceManager();
  services.load({ id: caller, runner: () => undefined });
  const processes = { ...linux.processes, peerCredentials: () => ({ pid: callerPid, uid: 50, gid: 50 }) };
  const logger = createLogger([]);
  const runtime = cleanup.use(createRuntime({ state, logger }));
  const sequences: AskedSequence[] = [];
  const store = createConfigStore(state);
  // There is no disk, and nobody who would write to it.
  const config = { ...store, persist: (next: Config) => store.keep(next) };
  const machine: ApiDependencies = {
    platform: { ...containerPlatform({ env: {}, root }), mode: options.mode ?? "container" },
    linux: { ...linux, processes },
    clock: systemClock,
    state,
    runtime,
    events: createEventBus(),
    logs: createLogStore(),
    messages: createLogRing(),
    logger,
    services,
    sequencer: {
      running: undefined,
      run: async (name, request = {}, { takeOver = false } = {}) => void sequences.push({ name, request, takeOver }),
    },
    config,
    meta: createMetaStore(state),
    bootLoader: createDiskBootLoader({ state, mounts: linux.mounts, root }),
    images: createMachineImages({ state, logger, clock: systemClock, root, config }),
    registerProcess: createProcessRegistrar({ linux, state, logger }),
    root,
  };
  const servers = cleanup.use(createApiServers(machine));
  await servers.start();
  const channel = cleanup.use(createChannel({ target: `unix://${root}${paths.machinedSocket}` }));
  const owned = cleanup.move();
  return {
    machine,
    linux,
    root,
    sequences,
    client: (service, ...callerRoles) =>
      createClient(service, channel, {
        metadata: { [metadataKeys.role]: callerRoles.length === 0 ? [roles.admin] : [...callerRoles] },
      }),
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
