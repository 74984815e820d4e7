import { matchFingerprint, parseCertificateDer, tlsPrivateKey } from "@talos-ts/crypto";
import type { DescService } from "@bufbuild/protobuf";
import {
  createChannel,
  createClient,
  type Channel,
  type Client,
  type ClientInterceptor,
  type ClientOptions,
  type ClientTls,
} from "@talos-ts/grpc";
import { maxMessageBytes } from "../constants/index.ts";
import type { ContextCredentials } from "../talosconfig/index.ts";
import { callMetadata, type CallTarget } from "./call-metadata.ts";
import { endpointTarget } from "./endpoint.ts";
import type { ChooseProxy } from "./proxy-environment.ts";

/** Settings of a connection to the API. */
export interface ConnectOptions {
  /** As people write them; several share the calls in turn, and one that fails is passed over. */
  readonly endpoints: readonly string[];
  /** Endpoints that are tried once none of the above can be reached. @default none */
  readonly fallback?: readonly string[];
  readonly tls?: ClientTls;
  /** Chooses the HTTP proxy that leads to an endpoint. @default none */
  readonly proxy?: ChooseProxy;
  /** The cluster meant, when a proxy serves several. */
  readonly cluster?: string;
  /** Makes what authenticates each call, for a proxy that does not do so by client certificate. Default: none. */
  readonly authenticate?: (channel: Channel) => ClientInterceptor;
  /** Asks the endpoint to connect to nodes anew for each call, which shows whether they can be reached. Default: false. */
  readonly freshConnection?: boolean;
}

/** The way to the API of a cluster. Connects when the first call needs it. */
export interface ApiConnection extends AsyncDisposable {
  readonly channel: Channel;
  readonly endpoints: readonly string[];
  /** As it was given, for further connections. */
  readonly proxy: ChooseProxy | undefined;
  /** The method (`/package.Service/Method`) that was called last through a client of `service`. */
  readonly lastMethod: string | undefined;
  /** Settings of any client on the channel whose calls are for `target`: metadata and authentication. */
  clientOptions(target?: CallTarget): ClientOptions;
  /** The methods of a service; every call is for `target`. */
  service<S extends DescService>(service: S, target?: CallTarget): Client<S>;
}

/** @throws `client/bad-endpoint`, or `grpc/bad-target` without endpoints. */
export function connectApi({
  endpoints,
  fallback = [],
  tls,
  proxy,
  cluster,
  authenticate,
  freshConnection = false,
}: ConnectOptions): ApiConnection {
  const channel = createChannel({
    targets: endpoints.map(endpointTarget),
    fallbackTargets: fallback.map(endpointTarget),
    maxReceiveBytes: maxMessageBytes,
    ...(tls !== undefined && { tls }),
    ...(proxy !== undefined && { proxy }),
  });
  let lastMethod: string | undefined;
  const note: ClientInterceptor = async ({ method }, next) => {
    lastMethod = method.path;
    await next();
  };
  const interceptors = [note, ...(authenticate === undefined ? [] : [authenticate(channel)])];
  const clientOptions = (target?: CallTarget): ClientOptions => ({
    metadata: callMetadata(target, cluster, freshConnection),
    interceptors,
  });
  return {
    channel,
    endpoints,
    proxy,
    get lastMethod() {
      return lastMethod;
    },
    clientOptions,
    service: (service, target) => createClient(service, channel, clientOptions(target)),
    [Symbol.asyncDispose]: () => channel.close(),
  };
}

/**
 * For a machine without a configuration: any certificate is taken, or only one whose key has one of the fingerprints.
 */
export function insecureTls(fingerprints: readonly string[] = []): ClientTls {
  if (fingerprints.length === 0) return { insecure: true };
  return { insecure: true, checkCertificate: (der) => matchFingerprint(parseCertificateDer(der), fingerprints) };
}

/** Returns what TLS a connection with the credentials of a context uses: trusted CAs and client certificate. */
export function contextTls({ ca, client }: ContextCredentials): ClientTls {
  return {
    material: {
      ...(ca !== undefined && { ca }),
      ...(client !== undefined && { cert: client.crt, key: tlsPrivateKey(client.key) }),
    },
  };
}
