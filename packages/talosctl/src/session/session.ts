import { isIP } from "node:net";
import type { DescService } from "@bufbuild/protobuf";
import { describeError, OsError } from "@talos-ts/base";
import type { Client, ClientInterceptor } from "@talos-ts/grpc";
import {
  connectApi,
  contextTls,
  insecureTls,
  endpointHost,
  filterMessages,
  joinErrors,
  proxyFromEnvironment,
  type ApiConnection,
  type ConnectOptions,
  type NodeMessage,
  type NodeMessages,
} from "@talos-ts/machinery/client";
import {
  contextCertificate,
  contextCredentials,
  expiryWarning,
  openTalosconfig,
  resolveContext,
  resolveEndpoints,
  type TalosContext,
} from "@talos-ts/machinery/talosconfig";
import type { Invocation } from "../command.ts";
import { describeFailure } from "../rpc-status.ts";
import { keepLastMethod, rememberConnection } from "./last-method.ts";
import { furtherEndpoints, learnEndpoints, learnsEndpoints, readLearned } from "./learned-endpoints.ts";
import { notePartialFailure } from "./partial-failure.ts";

export interface SessionOptions {
  /** Talks to a machine without configuration: any certificate is taken, none is shown. @default {false} */
  readonly insecure?: boolean;
  /** In an insecure session, the keys one of which the machine must have. */
  readonly fingerprints?: readonly string[];
  /** True when nodes must be chosen by flag or context. @default {true} */
  readonly needsNodes?: boolean;
  /** True when a command makes do without chosen nodes. @default {false} */
  readonly nodesOptional?: boolean;
  /** True when a certificate in the last third of its life is renewed when the session ends. @default {true} */
  readonly renew?: boolean;
  /** True when the endpoint shall connect to nodes anew, to find out whether they can be reached. @default {false} */
  readonly freshConnection?: boolean;
}

/** A command's connection to the nodes it was called for. */
export interface Session extends AsyncDisposable {
  readonly connection: ApiConnection;
  /** Empty when calls are for the endpoint itself. */
  readonly nodes: readonly string[];
  /** Each node, or `undefined` once for the endpoint itself: what services without fan-out are asked for in turn. */
  readonly targets: readonly (string | undefined)[];
  /** Label of an answer that names no node. */
  readonly defaultNode: string;
  /** Every call goes to all nodes. */
  all<S extends DescService>(service: S): Client<S>;
  /** Every call goes to one node. */
  one<S extends DescService>(service: S, node: string | undefined): Client<S>;
  /**
   * Waits for an answer of all nodes. Failures of some are told as warnings.
   *
   * @param doing For the error when all failed, as in `error listing services`.
   */
  answers<M extends NodeMessage>(doing: string, call: Promise<NodeMessages<M>>): Promise<readonly M[]>;
  /** The node that a message is from. */
  nodeOf(message: NodeMessage): string;
  warn(text: string): void;
}

/** Opens the talosconfig and prepares the connection; the first call makes it. */
export async function openSession(invocation: Invocation, options: SessionOptions = {}): Promise<Session> {
  return options.insecure === true ? openInsecure(invocation, options) : openWithContext(invocation, options);
}

async function openWithContext(invocation: Invocation, options: SessionOptions): Promise<Session> {
  const { needsNodes = true, nodesOptional = false, freshConnection = false } = options;
  const { global, io } = invocation;
  const file = await openTalosconfig(global.talosconfig, { env: io.env });
  const { config } = file;
  const context = resolveContext(config, global.context);
  const name = global.context ?? config.context;
  const endpoints = resolveEndpoints(context, global.endpoints);
  const named = global.nodes.length > 0 || global.on.length > 0 ? global.nodes : context.nodes;
  if (named.length === 0 && global.on.length === 0 && needsNodes && !nodesOptional) throw noNodes();
  const warning = certificateWarning(context, name);
  if (warning !== undefined) io.err(`WARNING: ${warning}\n`);
  const cluster = global.cluster ?? context.cluster;
  const tls = contextTls(contextCredentials(context, name));
  const proxy = proxyFromEnvironment(io.env);
  const authenticate = signedContext(invocation, context, name);
  // Whoever names endpoints means those and no others; and a gateway that checks signatures is the only way to its nodes.
  const learns = learnsEndpoints(io.env) && global.endpoints.length === 0 && authenticate === undefined;
  const learned = learns ? await readLearned(file, name) : undefined;
  const fallback = furtherEndpoints(endpoints, learned);
  const connection = connectApi({
    endpoints,
    fallback,
    tls,
    proxy,
    cluster,
    freshConnection,
    ...(authenticate && { authenticate }),
  });
  const nodes = needsNodes ? await nodesOf(invocation, connection, named) : [];
  const over = async (): Promise<void> => {
    const used = connection.channel.fallback;
    if (used !== undefined) io.err(`WARNING: ${failedOver(endpoints, used, learned?.learned ?? "")}\n`);
    if (learns && connection.channel.state === "ready") await learnEndpoints(file, name, connection, new Date());
  };
  return makeSession(invocation, connection, nodes, options, over);
}

function failedOver(endpoints: readonly string[], used: string, learned: string): string {
  return `no endpoint of the context answered (${endpoints.join(", ")}); connected to ${used} instead, which the cluster named on ${learned.slice(0, 10)}`;
}

/** Signs the calls of a context that authenticates by OpenPGP signature; what that needs is loaded at the first call. */
function signedContext(
  { global, io, signal }: Invocation,
  { auth }: TalosContext,
  context: string,
): ConnectOptions["authenticate"] {
  const { siderov1 } = auth;
  if (siderov1 === undefined) return undefined;
  const options = { context, identity: siderov1.identity, directory: global.siderov1KeysDir, io, signal };
  return (channel) => {
    let loaded: Promise<ClientInterceptor> | undefined;
    const load = async (): Promise<ClientInterceptor> =>
      (await import("./siderov1/sign-calls.ts")).signCalls(channel, { ...options, now: () => new Date() });
    return async (call, next) => (await (loaded ??= load()))(call, next);
  };
}

/** The nodes by address; those that are named, or chosen by a term, are looked up among the members. */
async function nodesOf(
  invocation: Invocation,
  connection: ApiConnection,
  named: readonly string[],
): Promise<readonly string[]> {
  const { on } = invocation.global;
  if (on.length === 0 && named.every((node) => isIP(node) !== 0)) return named;
  try {
    rememberConnection(invocation, connection);
    return await (
      await import("./resolve-nodes.ts")
    ).resolveNodes(connection, named, on, (text) => invocation.io.err(`WARNING: ${text}\n`));
  } catch (err) {
    await connection[Symbol.asyncDispose]();
    throw err;
  }
}

async function openInsecure(invocation: Invocation, options: SessionOptions): Promise<Session> {
  const { nodes } = invocation.global;
  const proxy = proxyFromEnvironment(invocation.io.env);
  const [node] = nodes;
  if (node === undefined) throw noNodes();
  // Such machines do not pass calls on: each is its own endpoint.
  if (nodes.length > 1) throw severalInsecure(nodes);
  const tls = insecureTls(options.fingerprints);
  return makeSession(invocation, connectApi({ endpoints: [node], tls, proxy }), [], options);
}

function severalInsecure(nodes: readonly string[]): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "cli/one-node",
    message: `--insecure talks to one machine at a time, there are ${nodes.length}: ${nodes.join(", ")}`,
  });
}

function certificateWarning(context: TalosContext, name: string): string | undefined {
  const certificate = contextCertificate(context, name, new Date());
  return certificate === undefined ? undefined : expiryWarning(certificate, name);
}

function makeSession(
  invocation: Invocation,
  connection: ApiConnection,
  nodes: readonly string[],
  options: SessionOptions,
  over: () => Promise<void> = async () => undefined,
): Session {
  const { io } = invocation;
  rememberConnection(invocation, connection);
  const defaultNode = endpointHost(connection.endpoints[0] ?? "");
  const warn = (text: string): void => io.err(`WARNING: ${text}\n`);
  return {
    connection,
    nodes,
    targets: nodes.length > 0 ? nodes : [undefined],
    defaultNode,
    warn,
    all: (service) => connection.service(service, nodes.length > 0 ? { nodes } : undefined),
    one: (service, node) => connection.service(service, node === undefined ? undefined : { node }),
    nodeOf: ({ metadata }) => (metadata?.hostname ? metadata.hostname : defaultNode),
    async answers(doing, call) {
      const { messages, errors } = filterMessages(await call.catch((err: unknown) => fail(doing, err)));
      if (errors.length > 0 && messages.length === 0) return fail(doing, joinErrors(errors));
      for (const error of errors) warn(describeFailure(error));
      notePartialFailure(invocation, errors.length, errors.length + messages.length);
      return messages;
    },
    async [Symbol.asyncDispose]() {
      // What follows are calls of the session itself, which no failure of the command is about.
      keepLastMethod(invocation);
      try {
        await over();
        if (options.insecure !== true && options.renew !== false) {
          await (await import("./renew-certificate.ts")).renewOnUse(invocation, connection);
        }
      } finally {
        await connection[Symbol.asyncDispose]();
      }
    },
  };
}

function fail(doing: string, cause: unknown): never {
  const known = OsError.from(cause);
  throw new OsError({
    kind: known.kind,
    code: known.code,
    message: `error ${doing}: ${describeError(known)}`,
    ...(known.next !== undefined && { next: known.next }),
    cause,
  });
}

function noNodes(): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "cli/no-nodes",
    message:
      "nodes are not set for the command: please use `--nodes` flag or configuration file to set the nodes to run the command against",
    next: "talosctl config node <address>…, or add --nodes <address>",
  });
}
