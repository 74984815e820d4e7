import { matchFingerprint, parseCertificateDer, tlsPrivateKey } from "@talos-ts/crypto";
import type { DescService } from "@bufbuild/protobuf";
import {
  createChannel,
  createClient,
  type Channel,
  type Client,
  type ClientInterceptor,
  type ClientTls,
  type MetadataInit,
} from "@talos-ts/grpc";
import { maxMessageBytes } from "../constants/index.ts";
import type { ContextCredentials } from "../talosconfig/index.ts";
import { callMetadata, type CallTarget } from "./call-metadata.ts";
import { endpointTarget } from "./endpoint.ts";

/** Settings of a connection to the API. */
export interface ConnectOptions {
  /** As people write them; several share the calls in turn, and one that fails is passed over. */
  readonly endpoints: readonly string[];
  readonly tls?: ClientTls;
  /** The cluster meant, when a proxy serves several. */
  readonly cluster?: string;
}

/** The way to the API of a cluster. Connects when the first call needs it. */
export interface ApiConnection extends AsyncDisposable {
  readonly channel: Channel;
  readonly endpoints: readonly string[];
  /** The method (`/package.Service/Method`) that was called last through a client of `service`. */
  readonly lastMethod: string | undefined;
  /** What must travel beside a call for `target`. */
  metadata(target?: CallTarget): MetadataInit;
  /** The methods of a service; every call is for `target`. */
  service<S extends DescService>(service: S, target?: CallTarget): Client<S>;
}

/** @throws `client/bad-endpoint`, or `grpc/bad-target` without endpoints. */
export function connectApi({ endpoints, tls, cluster }: ConnectOptions): ApiConnection {
  const channel = createChannel({
    targets: endpoints.map(endpointTarget),
    maxReceiveBytes: maxMessageBytes,
    ...(tls !== undefined && { tls }),
  });
  let lastMethod: string | undefined;
  const note: ClientInterceptor = async ({ method }, next) => {
    lastMethod = method.path;
    await next();
  };
  return {
    channel,
    endpoints,
    get lastMethod() {
      return lastMethod;
    },
    metadata: (target) => callMetadata(target, cluster),
    service: (service, target) =>
      createClient(service, channel, { metadata: callMetadata(target, cluster), interceptors: [note] }),
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
