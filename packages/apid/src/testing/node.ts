import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import {
  createInMemoryState,
  createResource,
  createResourceRegistry,
  pointerTo,
  readVerbs,
  stateService,
  updateTyped,
  wrapCore,
  type State,
} from "@talos-ts/cosi";
import {
  createChannel,
  createClient,
  createServer,
  type Channel,
  type Client,
  type ClientTls,
  type GrpcServer,
} from "@talos-ts/grpc";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { APIServiceConfig, type APIServiceConfigSpec } from "@talos-ts/machinery/resources/runtime";
import { ApiCertificate, type ApiCertificateSpec } from "@talos-ts/machinery/resources/secrets";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { runApid } from "../apid.ts";
import type { Cluster } from "./authority.ts";
import { createEchoMachined, type EchoMachined } from "./echo-machined.ts";

export interface NodeOptions {
  readonly cluster: Cluster;
  readonly address: string;
  readonly port: number;
  readonly controlPlane?: boolean;
  readonly mode?: Partial<APIServiceConfigSpec>;
  readonly certificates?: Partial<ApiCertificateSpec>;
  /** Serves as machined. @default one that echoes */
  readonly api?: GrpcServer;
}

export interface Node extends AsyncDisposable {
  readonly target: string;
  readonly state: State;
  readonly machined: EchoMachined;
  readonly lines: readonly string[];
  /** Waits for a line of the log that has this text. */
  said(text: string): Promise<void>;
  /** Runs a change and waits until apid listens again. */
  relisten(change: () => Promise<unknown>): Promise<void>;
  /** Changes the certificates and waits until apid has them. */
  recertify(change: (spec: ApiCertificateSpec) => ApiCertificateSpec): Promise<void>;
  /** Ends apid as a signal would. */
  stop(): Promise<void>;
}

/** A node as far as apid sees it: resources on a runtime socket, a machined that echoes, and apid itself. */
export async function createNode(options: NodeOptions): Promise<Node> {
  const { cluster, address, port, controlPlane = true } = options;
  const stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "apid-"));
  stack.defer(() => rm(directory, { recursive: true }));
  const runtimeSocket = join(directory, "runtime.sock");
  const machinedSocket = join(directory, "machined.sock");

  const state = wrapCore(createInMemoryState());
  const client = controlPlane ? await cluster.client(address) : undefined;
  await state.create(
    createResource(
      ApiCertificate,
      ApiCertificate.id,
      ApiCertificate.spec({
        acceptedCAs: [{ crt: cluster.ca.pem.crt }],
        server: await cluster.server(address),
        ...(client !== undefined && { client }),
        ...options.certificates,
      }),
    ),
  );
  await state.create(
    createResource(NodeAddress, "current", NodeAddress.spec({ addresses: [`${address}/24`, "fd00::7/64"] })),
  );
  await state.create(
    createResource(HostnameStatus, "hostname", HostnameStatus.spec({ hostname: "one", domainname: "example.org" })),
  );

  const runtime = stack.use(createServer({ graceMs: 0 }));
  const registry = createResourceRegistry([APIServiceConfig, ApiCertificate, HostnameStatus, NodeAddress]);
  runtime.addService(StateService, stateService(state, { registry, filter: onlyWhatApidMay }));
  await runtime.listen({ unix: runtimeSocket });
  const machined = createEchoMachined(address);
  const api = stack.use(options.api ?? createServer({ graceMs: 0 }).addService(MachineService, machined.impl));
  await api.listen({ unix: machinedSocket });

  const lines: string[] = [];
  const listeners = new Set<() => void>();
  let listening = Promise.withResolvers<void>();
  let certified = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const running = runApid({
    runtimeSocket,
    machinedSocket,
    peerPort: port,
    graceMs: 1000,
    signal: stopping.signal,
    log(line) {
      lines.push(line);
      for (const listener of listeners) listener();
    },
    onListening: () => listening.resolve(),
    onCredentials: () => certified.resolve(),
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  stack.defer(stop);

  const node: Node = {
    target: `${address}:${String(port)}`,
    state,
    machined,
    lines,
    stop,
    said: (text) =>
      new Promise((resolve) => {
        const listener = (): void => {
          if (!lines.some((line) => line.includes(text))) return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
        listener();
      }),
    async relisten(change) {
      listening = Promise.withResolvers();
      await change();
      await listening.promise;
    },
    async recertify(change) {
      certified = Promise.withResolvers();
      await updateTyped(state, ApiCertificate, ApiCertificate.id, change);
      await certified.promise;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
  const listenAddress = `${address}:${String(port)}`;
  const config = APIServiceConfig.spec({ listenAddress, ...options.mode });
  await node.relisten(() => state.create(createResource(APIServiceConfig, APIServiceConfig.id, config)));
  return node;
}

/** D8: what machined lets apid see. */
function onlyWhatApidMay({ verb, type, id }: { verb: string; type: string; id?: string }): void {
  const allowed: Readonly<Record<string, string>> = {
    [APIServiceConfig.type]: "apid",
    [ApiCertificate.type]: "api",
    [HostnameStatus.type]: "hostname",
    [NodeAddress.type]: id ?? "",
  };
  if (!(readVerbs as ReadonlySet<string>).has(verb))
    throw new OsError({ kind: "permission-denied", message: "write access denied" });
  if (allowed[type] !== id) throw new OsError({ kind: "permission-denied", message: "access denied" });
}

export interface Caller extends AsyncDisposable {
  readonly client: Client<typeof MachineService>;
  readonly channel: Channel;
}

export function connect(node: Pick<Node, "target">, tls: ClientTls): Caller {
  const channel = createChannel({ target: node.target, tls });
  return { channel, client: createClient(MachineService, channel), [Symbol.asyncDispose]: () => channel.close() };
}

export const configPointer = pointerTo(APIServiceConfig, APIServiceConfig.id);
