import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";
import {
  createInMemoryState,
  createResourceRegistry,
  metaTypeInfos,
  namespaceType,
  registerResourceType,
  resourceDefinitionType,
  stateService,
  wrapCore,
  type State,
} from "@talos-ts/cosi";
import { createServer, type CallContext, type GrpcServer, type ServiceImpl } from "@talos-ts/grpc";
import { createAuthority, issuePair, tlsPrivateKey } from "@talos-ts/crypto";
import type { TypedResource } from "@talos-ts/machinery/resources";
import { createTalosconfig, encodeTalosconfig } from "@talos-ts/machinery/talosconfig";
import { MetadataSchema, type Metadata } from "@talos-ts/proto/common/common";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import { DebugService } from "@talos-ts/proto/machine/debug";
import { ImageService } from "@talos-ts/proto/machine/image";
import { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { OperationService } from "@talos-ts/proto/operation/operation";
import { TimeService } from "@talos-ts/proto/time/time";
import { runCommand, type Result } from "./run-command.ts";

export interface FakeNodeOptions {
  /** Takes callers without a certificate, as a machine in maintenance mode does. @default {false} */
  readonly anonymous?: boolean;
  readonly machine?: ServiceImpl<typeof MachineService>;
  /** @default a node without it */
  readonly image?: ServiceImpl<typeof ImageService>;
  /** @default a node without it, as those before v1.13 */
  readonly lifecycle?: ServiceImpl<typeof LifecycleService>;
  /** @default a node that keeps no operations of clients, as one of Talos */
  readonly operation?: ServiceImpl<typeof OperationService>;
  /** @default a node without it */
  readonly debug?: ServiceImpl<typeof DebugService>;
  /** @default a node without it */
  readonly time?: ServiceImpl<typeof TimeService>;
  /** Types of resources that the state knows, besides those that describe others. */
  readonly types?: readonly TypedResource[];
  /** Further addresses in its certificate. @default none */
  readonly addresses?: readonly string[];
  /** @default the loopback, on a free port */
  readonly listen?: { readonly host: string; readonly port: number };
}

/** A server with the API of a node, over mutual TLS on the loopback, and a talosconfig for it. */
export interface FakeNode extends AsyncDisposable {
  readonly state: State;
  readonly folder: string;
  readonly address: string;
  /** Runs a command line against it. */
  run(...argv: readonly string[]): Promise<Result>;
  /** The same, with more in the environment. */
  runWith(env: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Result>;
  /** The same, until `enough` holds of the output. */
  runUntil(enough: (out: string) => boolean, ...argv: readonly string[]): Promise<Result>;
}

export async function startFakeNode(options: FakeNodeOptions = {}): Promise<FakeNode> {
  const now = new Date();
  const notAfter = new Date(now.getTime() + 86_400_000 * 365);
  const authority = await createAuthority({
    keyType: "ed25519",
    subject: { organizations: ["talos"] },
    notBefore: now,
    notAfter,
  });
  const validity = { notBefore: now, notAfter, keyUsages: ["digitalSignature" as const] };
  const server = await issuePair(authority, {
    ...validity,
    subject: { commonName: "node" },
    ipAddresses: ["127.0.0.1", ...(options.addresses ?? [])],
    extKeyUsages: ["serverAuth"],
  });
  const client = await issuePair(authority, {
    ...validity,
    subject: { organizations: ["os:admin"] },
    extKeyUsages: ["clientAuth"],
  });

  const types = options.types ?? [];
  const registry = createResourceRegistry([namespaceType, resourceDefinitionType, ...types]);
  const state = wrapCore(createInMemoryState());
  for (const info of [...metaTypeInfos, ...types]) await registerResourceType(state, info);

  const grpc: GrpcServer = createServer({ graceMs: 0 });
  grpc.addService(StateService, stateService(state, { registry, filter: (_access, context) => checkAlive(context) }));
  grpc.addService(MachineService, options.machine ?? {});
  if (options.debug !== undefined) grpc.addService(DebugService, options.debug);
  if (options.time !== undefined) grpc.addService(TimeService, options.time);
  if (options.image !== undefined) grpc.addService(ImageService, options.image);
  if (options.lifecycle !== undefined) grpc.addService(LifecycleService, options.lifecycle);
  if (options.operation !== undefined) grpc.addService(OperationService, options.operation);
  const { address } = await grpc.listen({
    ...(options.listen ?? { host: "127.0.0.1", port: 0 }),
    tls: {
      material: { cert: server.crt, key: tlsPrivateKey(server.key), ca: authority.pem.crt },
      clientAuth: options.anonymous === true ? "none" : "require",
    },
  });

  const folder = await mkdtemp(join(tmpdir(), "talosctl-"));
  const talosconfig = join(folder, "talosconfig");
  await writeFile(talosconfig, encodeTalosconfig(createTalosconfig("test", [address], authority.pem.crt, client)));

  const env = { HOME: folder, TALOSCONFIG: talosconfig };

  return {
    state,
    folder,
    address,
    run: (...argv) => runCommand(argv, { env }),
    runWith: (more, ...argv) => runCommand(argv, { env: { ...env, ...more } }),
    runUntil: (enough, ...argv) => runCommand(argv, { env, enough }),
    async [Symbol.asyncDispose]() {
      await grpc.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Nodes of this name fail, as if they did not answer. */
export const deadNode = "10.5.0.99";

/** Returns what the endpoint makes of the answers of the nodes that a call is for. */
export function answersOf<M extends object>(
  context: CallContext,
  answer: (node: string) => M,
): (M & { metadata?: Metadata })[] {
  const nodes = context.metadata.getAll("nodes");
  if (nodes.length === 0) return [answer("")];
  return nodes.map((hostname) => {
    if (hostname !== deadNode)
      return Object.assign(answer(hostname), { metadata: create(MetadataSchema, { hostname }) });
    const status = { code: 14, message: "no route" };
    // The endpoint sends nothing but metadata for a node that failed.
    return { metadata: create(MetadataSchema, { hostname, error: "rpc error", status }) } as M & { metadata: Metadata };
  });
}

/** @throws what a node that is away looks like, when the call is for one. */
function checkAlive(context: CallContext): void {
  if (context.metadata.get("node") === deadNode) throw new OsError({ kind: "unavailable", message: "no route" });
}
