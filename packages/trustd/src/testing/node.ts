import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import {
  createInMemoryState,
  createResource,
  createResourceRegistry,
  readVerbs,
  stateService,
  wrapCore,
  type State,
} from "@talos-ts/cosi";
import { tlsPrivateKey, type CertificateAuthority, type PemPair } from "@talos-ts/crypto";
import { createChannel, createClient, createServer, type Client, type ClientTls } from "@talos-ts/grpc";
import { OSRootSecret, TrustdCertificate, type OSRootSecretSpec } from "@talos-ts/machinery/resources/secrets";
import { issueLeaf } from "@talos-ts/machinery/secrets";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import { SecurityService } from "@talos-ts/proto/security/security";
import { runTrustd } from "../trustd.ts";

export const token = "abcdef.0123456789abcdef";

/** A control plane machine as far as trustd sees it. */
export interface Node extends AsyncDisposable {
  readonly state: State;
  readonly lines: readonly string[];
  connect(tls: ClientTls): AsyncDisposable & { readonly client: Client<typeof SecurityService> };
  /** Runs a change and waits until trustd knows of it. */
  change(run: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

export async function createNode(ca: CertificateAuthority, secrets: Partial<OSRootSecretSpec> = {}): Promise<Node> {
  const stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "trustd-"));
  stack.defer(() => rm(directory, { recursive: true }));
  const runtimeSocket = join(directory, "runtime.sock");

  const state = wrapCore(createInMemoryState());
  const root = { issuingCA: ca.pem, acceptedCAs: [{ crt: ca.pem.crt }], token, ...secrets };
  await state.create(createResource(OSRootSecret, OSRootSecret.id, OSRootSecret.spec(root)));
  const server = await serverPair(ca);
  const certificate = TrustdCertificate.spec({ server, acceptedCAs: root.acceptedCAs });
  await state.create(createResource(TrustdCertificate, TrustdCertificate.id, certificate));
  const runtime = stack.use(createServer({ graceMs: 0 }));
  const registry = createResourceRegistry([OSRootSecret, TrustdCertificate]);
  runtime.addService(StateService, stateService(state, { registry, filter: onlyWhatTrustdMay }));
  await runtime.listen({ unix: runtimeSocket });

  const lines: string[] = [];
  const stopping = new AbortController();
  const listening = Promise.withResolvers<string>();
  let changes = 0;
  let changed = Promise.withResolvers<void>();
  const running = runTrustd({
    runtimeSocket,
    listen: { host: "127.0.0.1", port: 0 },
    graceMs: 1000,
    log: (line) => lines.push(line),
    signal: stopping.signal,
    onListening: listening.resolve,
    onChange() {
      changes += 1;
      if (changes >= 2) changed.resolve();
    },
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  stack.defer(stop);
  await changed.promise;
  const target = await listening.promise;
  return {
    state,
    lines,
    stop,
    connect(tls) {
      const channel = createChannel({ target, tls });
      return { client: createClient(SecurityService, channel), [Symbol.asyncDispose]: () => channel.close() };
    },
    async change(run) {
      changed = Promise.withResolvers();
      await run();
      await changed.promise;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export function serverPair(ca: CertificateAuthority): Promise<PemPair> {
  const names = { fqdn: "cp-1", dnsNames: ["cp-1"], ipAddresses: ["127.0.0.1"] };
  return issueLeaf("trustdServer", ca.pem, names, { now: new Date() });
}

/** TLS of a machine that knows the CA, and shows a certificate if it has one. */
export function tlsOf(ca: CertificateAuthority, shown?: PemPair): ClientTls {
  const own = shown === undefined ? {} : { cert: shown.crt, key: tlsPrivateKey(shown.key) };
  return { material: { ca: ca.pem.crt, ...own } };
}

/** D9: what machined lets trustd see. */
function onlyWhatTrustdMay({ verb, type, id }: { verb: string; type: string; id?: string }): void {
  const allowed: Readonly<Record<string, string>> = { [OSRootSecret.type]: "os", [TrustdCertificate.type]: "trustd" };
  if (!(readVerbs as ReadonlySet<string>).has(verb)) {
    throw new OsError({ kind: "permission-denied", message: "write access denied" });
  }
  if (id === undefined || allowed[type] !== id)
    throw new OsError({ kind: "permission-denied", message: "access denied" });
}
