import { OsError, type Log } from "@talos-ts/base";
import {
  callerKey,
  createProxyHandler,
  statusCodeOf,
  type Channel,
  type Metadata,
  type RawHandler,
  type RawServerCall,
} from "@talos-ts/grpc";
import type { APIServiceConfigSpec } from "@talos-ts/machinery/resources/runtime";
import { metadataKeys, requestBounds } from "@talos-ts/machinery/constants";
import { roles as allRoles } from "@talos-ts/machinery/roles";
import { beginAudit, type AuditedCall } from "./audit.ts";
import type { Backends, Lease } from "./backends.ts";
import type { CallerAccounts } from "./caller-accounts.ts";
import { callerRoles } from "./caller-roles.ts";
import { checkClientCertificate } from "./client-certificate.ts";
import { route } from "./director.ts";
import { forwardMany } from "./forward-many.ts";
import { localMetadata, remoteMetadata } from "./outgoing-metadata.ts";

/** Facts about this node that routing depends on; they may change between calls. */
export interface NodeView {
  readonly canForward: boolean;
  /** Addresses and names of this node. */
  readonly self: ReadonlySet<string>;
}

export interface GatewayOptions {
  readonly mode: Omit<APIServiceConfigSpec, "listenAddress">;
  /** machined on this node. */
  readonly local: Channel;
  readonly backends: Backends;
  readonly view: NodeView;
  readonly accounts: CallerAccounts;
  readonly log: Log;
}

/** Serves every method of the API: finds out who calls, where the call belongs, and sends it there. */
export function createGateway({ mode, local, backends, view, accounts, log }: GatewayOptions): RawHandler {
  async function serve(call: RawServerCall, audited: AuditedCall, ended: AuditEnd): Promise<void> {
    if (!mode.skipVerifyingClientCert) checkClientCertificate(call.peer);
    const { metadata, peer, method } = call;
    const caller = {
      organizations: mode.skipVerifyingClientCert ? [] : (peer.tls?.organizations ?? []),
      vouched: metadata.getAll(metadataKeys.role),
      ip: peer.ip,
    };
    const holder = { key: callerKey(peer), forwarder: caller.organizations.includes(allRoles.impersonator) };
    using place = accounts.open(holder, requestBounds(method.path), (error) => call.abort(error));
    call.observeRequests(place.observer);
    const roles = callerRoles(caller, mode);
    audited.roles = [...roles].toSorted();
    const wanted = {
      node: metadata.getAll(metadataKeys.node),
      nodes: metadata.getAll(metadataKeys.nodes),
      proxyFrom: metadata.getAll(metadataKeys.proxyFrom),
    };
    const { nodeRoutingDisabled } = mode;
    const found = route(method.path, wanted, { nodeRoutingDisabled, canForward: view.canForward, self: view.self });
    if (found.kind !== "local") audited.nodes = found.kind === "one" ? [found.target] : found.targets;
    switch (found.kind) {
      case "local":
        return await forwardOne(call, local, localMetadata(call, roles), ended);
      case "one": {
        using lease = backends.lease(found.target);
        return await forwardOne(call, lease.channel, remoteMetadata(call, roles), ended);
      }
      case "many": {
        using leases = leaseAll(backends, found.targets);
        return await forwardMany(call, leases.list, remoteMetadata(call, roles));
      }
    }
  }

  return async (call) => {
    const audited: AuditedCall = { peer: call.peer, method: call.method.path, roles: [], nodes: [] };
    const ended = beginAudit(audited, log);
    try {
      await serve(call, audited, ended);
      ended(undefined);
    } catch (err) {
      const error = OsError.from(err);
      ended(error);
      if (error.kind !== "cancelled") {
        const from = `${call.method.path} from ${call.peer.address}`;
        log(`${from} failed with status ${String(statusCodeOf(error))}: ${error.message}`);
      }
      throw error;
    }
  };
}

type AuditEnd = (error: OsError | undefined) => void;

async function forwardOne(call: RawServerCall, channel: Channel, metadata: Metadata, onEnd: AuditEnd): Promise<void> {
  await createProxyHandler(() => ({ channel, metadata, onEnd }))(call);
}

function leaseAll(backends: Backends, targets: readonly string[]): Disposable & { readonly list: readonly Lease[] } {
  using stack = new DisposableStack();
  const list = targets.map((target) => stack.use(backends.lease(target)));
  const owned = stack.move();
  return { list, [Symbol.dispose]: () => owned.dispose() };
}
