import { once } from "node:events";
import { describeError, OsError, runForever, type Log } from "@talos-ts/base";
import { createResourceRegistry, createStateClient, follow } from "@talos-ts/cosi";
import { createChannel, createServer, serveHealth, type ServerTlsMaterial } from "@talos-ts/grpc";
import { auditCalls } from "@talos-ts/machinery/audit";
import { OSRootSecret, TrustdCertificate, type OSRootSecretSpec } from "@talos-ts/machinery/resources/secrets";
import { SecurityService } from "@talos-ts/proto/security/security";
import { readServerCredentials } from "./credentials.ts";
import { securityService } from "./security-service.ts";

export interface TrustdOptions {
  /** Unix socket of machined's State service for trustd. */
  readonly runtimeSocket: string;
  /** Unix socket on which machined asks whether this daemon serves. @default none */
  readonly healthSocket?: string;
  /** An empty host is every address of both families. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Grace period for open calls after the signal, in ms. @default {10_000} */
  readonly graceMs?: number;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called with the bound address when the listener opens. */
  readonly onListening?: (address: string) => void;
  /** Called when other secrets or certificates are in use. */
  readonly onChange?: () => void;
}

/** Requests are small; so is what a stranger may send. */
const maxRequestBytes = 64 * 1024;

/**
 * Signs the certificates of machines that join, on a machine that holds the CA's key.
 *
 * Listens once there is a certificate; certificates, CA and token may change at any time. Resolves when the signal aborted
 * and the last call is over.
 */
export async function runTrustd(options: TrustdOptions): Promise<void> {
  const { log, signal, graceMs = 10_000 } = options;
  await using runtime = createChannel({
    target: `unix://${options.runtimeSocket}`,
    backoff: { initialMs: 50, maxMs: 1000 },
  });
  await using _health = options.healthSocket === undefined ? undefined : await serveHealth(options.healthSocket);
  const registry = createResourceRegistry([OSRootSecret, TrustdCertificate]);
  const state = createStateClient(runtime, { registry, watchRetry: false });
  const certified = Promise.withResolvers<void>();
  let material: ServerTlsMaterial | undefined;
  let secrets: OSRootSecretSpec | undefined;

  async function serve(works: () => void): Promise<void> {
    await Promise.race([certified.promise, aborted(signal)]);
    if (signal.aborted) return;
    const server = createServer({
      graceMs,
      interceptors: [auditCalls(log)],
      maxReceiveBytes: maxRequestBytes,
      maxConcurrentStreams: 16,
      maxConnections: 1024,
    });
    await using listening = await server
      .addService(SecurityService, securityService({ secrets: () => secrets, log }))
      .listen({
        ...options.listen,
        tls: {
          material() {
            if (material !== undefined) return material;
            throw new OsError({
              kind: "unavailable",
              message: "The server certificate of trustd is not available yet",
            });
          },
          // A machine that joins has no certificate; one that renews shows it, and the handler verifies it.
          clientAuth: "request",
          onError: (err) => log(`new certificates cannot be used: ${err.message}`),
        },
      });
    works();
    log(`listening on ${listening.address}`);
    options.onListening?.(listening.address);
    await aborted(signal);
    log("shutting down");
  }

  const watching = { signal, log };
  await Promise.all([
    follow(
      state,
      TrustdCertificate,
      TrustdCertificate.id,
      (spec) => {
        // Certificates go away only to come back; until then the last ones serve.
        if (spec === undefined) return;
        try {
          material = readServerCredentials(spec);
        } catch (err) {
          log(`cannot use new certificates: ${describeError(err)}`);
          return;
        }
        log("certificates taken");
        certified.resolve();
        options.onChange?.();
      },
      watching,
    ),
    follow(
      state,
      OSRootSecret,
      OSRootSecret.id,
      (spec) => {
        secrets = spec;
        log(spec === undefined ? "there is no CA to sign with" : "CA and token taken");
        options.onChange?.();
      },
      watching,
    ),
    runForever(serve, {
      signal,
      backoff: { initialMs: 100, maxMs: 5000 },
      onEnd: (err) => log(`cannot listen on port ${String(options.listen.port)}: ${describeError(err)}`),
    }),
  ]);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
