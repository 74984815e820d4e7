import { describeError, OsError, type Log } from "@talos-ts/base";
import { createResourceRegistry, createStateClient, follow } from "@talos-ts/cosi";
import { serveHealth } from "@talos-ts/grpc";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { APIServiceConfig, type APIServiceConfigSpec } from "@talos-ts/machinery/resources/runtime";
import { ApiCertificate } from "@talos-ts/machinery/resources/secrets";
import { createBackends } from "./backends.ts";
import { createCallerAccounts } from "./caller-accounts.ts";
import { readCredentials, type Credentials } from "./credentials.ts";
import { createApiListener } from "./api-listener.ts";
import { createGateway, type NodeView } from "./gateway.ts";
import { openForwardingChannel, openLocalChannel } from "./local-channel.ts";
import { createSelfNames } from "./self-names.ts";

export interface ApidOptions {
  /** Unix socket of machined's State service for apid. */
  readonly runtimeSocket: string;
  /** Unix socket on which machined asks whether this daemon serves. @default none */
  readonly healthSocket?: string;
  /** Unix socket of machined's API. */
  readonly machinedSocket: string;
  /** TCP port of apid on other nodes. */
  readonly peerPort: number;
  /** Grace period for open calls after the signal, in ms. @default {10_000} */
  readonly graceMs?: number;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called with the bound address whenever the listener opens. */
  readonly onListening?: (address: string) => void;
  /** Called when other certificates are in use. */
  readonly onCredentials?: () => void;
}

/**
 * The gateway of a node: it authenticates callers and sends calls to machined, here or on other nodes.
 *
 * Everything it knows comes from resources; it serves as soon as there are a configuration and certificates, and goes on
 * with the last good ones. Resolves when the signal aborted and the last call is over.
 */
export async function runApid(options: ApidOptions): Promise<void> {
  const { log, signal, graceMs = 10_000 } = options;
  await using stack = new AsyncDisposableStack();
  const runtime = stack.use(openLocalChannel(options.runtimeSocket));
  const local = stack.use(openForwardingChannel(options.machinedSocket));
  if (options.healthSocket !== undefined) stack.use(await serveHealth(options.healthSocket));
  const registry = createResourceRegistry([APIServiceConfig, ApiCertificate, HostnameStatus, NodeAddress]);
  const state = createStateClient(runtime, { registry, watchRetry: false });
  const self = createSelfNames();
  let credentials: Credentials | undefined;
  let config: APIServiceConfigSpec | undefined;

  const accounts = stack.use(createCallerAccounts());
  const backends = stack.use(createBackends({ port: options.peerPort, material: () => credentials?.client }));
  const view: NodeView = {
    get canForward() {
      return credentials?.client !== undefined;
    },
    get self() {
      return self.names;
    },
  };
  const listener = stack.use(
    createApiListener({
      material() {
        if (credentials !== undefined) return credentials.server;
        throw new OsError({ kind: "unavailable", message: "The API certificates are not available yet" });
      },
      handler: (mode) => createGateway({ mode, local, backends, view, accounts, log }),
      graceMs,
      log,
      onListening: options.onListening,
    }),
  );

  const watching = { signal, log };
  await Promise.all([
    follow(
      state,
      APIServiceConfig,
      APIServiceConfig.id,
      (spec) => {
        config = spec;
        if (credentials !== undefined) listener.apply(config);
      },
      watching,
    ),
    follow(
      state,
      ApiCertificate,
      ApiCertificate.id,
      (spec) => {
        // Certificates go away only to come back; until then the last ones serve.
        if (spec === undefined) return;
        try {
          credentials = readCredentials(spec);
        } catch (err) {
          log(`cannot use new certificates: ${describeError(err)}`);
          return;
        }
        log(`certificates taken${credentials.client === undefined ? ", without one for forwarding" : ""}`);
        backends.flush();
        listener.apply(config);
        options.onCredentials?.();
      },
      watching,
    ),
    follow(state, NodeAddress, NodeAddress.ids.current, (spec) => self.setAddresses(spec), watching),
    follow(state, HostnameStatus, HostnameStatus.id, (spec) => self.setHostname(spec), watching),
  ]);
  log("shutting down");
}
