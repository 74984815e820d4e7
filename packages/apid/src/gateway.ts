import { OsError, type Log } from "@talos-ts/base";
import { forwardCall, statusCodeOf, type Channel, type RawHandler, type RawServerCall } from "@talos-ts/grpc";
import { AuditedCall } from "@talos-ts/machinery/audit";
import type { APIServiceConfigSpec } from "@talos-ts/machinery/resources/runtime";
import { metadataKeys, requestBounds } from "@talos-ts/machinery/constants";
import { roleSet, roles as roleNames } from "@talos-ts/machinery/roles";
import type { Backends, Lease } from "./backends.ts";
import type { CallerAccounts } from "./caller-accounts.ts";
import { createCallerFacts, grantedRoles } from "./caller-facts.ts";
import { checkClientCertificate } from "./client-certificate.ts";
import { route, type Route } from "./director.ts";
import { forwardMany } from "./forward-many.ts";
import { remoteMetadata } from "./outgoing-metadata.ts";

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
  const callerFacts = createCallerFacts(mode);
  const { nodeRoutingDisabled } = mode;

  function serve(call: RawServerCall, audited: AuditedCall): Promise<void> {
    const { peer, method } = call;
    if (!mode.skipVerifyingClientCert) checkClientCertificate(peer);
    const { holder, granted, impersonates } = callerFacts(peer);
    const place = accounts.open(holder, requestBounds(method.path), (error) => call.abort(error));
    try {
      call.observeRequests(place.observer);
      const vouched = impersonates ? call.valuesOf(metadataKeys.role) : [];
      const roles = vouched.length > 0 ? grantedRoles(roleSet(...vouched)) : granted;
      audited.roles = roles.sorted;
      const wanted = {
        node: call.valuesOf(metadataKeys.node),
        nodes: call.valuesOf(metadataKeys.nodes),
        proxyFrom: call.valuesOf(metadataKeys.proxyFrom),
      };
      const found = route(method.path, wanted, { nodeRoutingDisabled, canForward: view.canForward, self: view.self });
      const onEnd = (error: OsError | undefined): void => audited.ended(error);
      // Forwarding begins before anything is awaited, so that a request that is here already is passed on as it lies.
      const serving =
        found.kind === "local"
          ? forwardCall(call, { channel: local, patch: roles.local, onEnd })
          : forwardRemote(call, found, roles.sorted, audited);
      return serving.then(
        () => {
          place[Symbol.dispose]();
          audited.ended(undefined);
        },
        (err: unknown) => {
          place[Symbol.dispose]();
          refused(call, audited, err);
        },
      );
    } catch (err) {
      place[Symbol.dispose]();
      throw err;
    }
  }

  async function forwardRemote(
    call: RawServerCall,
    found: Exclude<Route, { kind: "local" }>,
    roles: readonly string[],
    audited: AuditedCall,
  ): Promise<void> {
    const targets = found.kind === "one" ? [found.target] : found.targets;
    audited.nodes = targets;
    // Established connections pass a firewall that lets no new one in: whoever asks whether a node can be reached asks for a new one.
    // Only those who may configure nodes: handshakes are not for everybody to spend.
    const fresh = roles.includes(roleNames.admin) && call.valuesOf(metadataKeys.freshConnection).length > 0;
    // The way to itself over the network would cost another handshake, and encrypt every answer twice. Once for a call: whoever names
    // this node many times takes that way, where each of them counts, and not the places of all callers at machined.
    const isOwn = (target: string): boolean => view.self.has(target);
    const asksOwnOnce = !fresh && targets.filter(isOwn).length === 1;
    using leases = leaseAll(targets, (target) =>
      asksOwnOnce && isOwn(target) ? ownLease(target, local) : backends.lease(target, fresh),
    );
    const metadata = remoteMetadata(call, roles);
    const [only] = leases.list;
    if (found.kind === "many" || only === undefined) await forwardMany(call, leases.list, metadata);
    else await forwardCall(call, { channel: only.channel, metadata, onEnd: (error) => audited.ended(error) });
  }

  function refused(call: RawServerCall, audited: AuditedCall, err: unknown): never {
    const error = OsError.from(err);
    audited.ended(error);
    if (error.kind !== "cancelled") {
      const from = `${call.method.path} from ${call.peer.address}`;
      log(`${from} failed with status ${String(statusCodeOf(error))}: ${error.message}`);
    }
    throw error;
  }

  return (call) => {
    const audited = new AuditedCall(call.peer, call.method.path, log);
    try {
      return serve(call, audited);
    } catch (err) {
      return refused(call, audited, err);
    }
  };
}

/** The channel to machined in the place of one to this node's own apid. */
function ownLease(target: string, channel: Channel): Lease {
  return { target, channel, [Symbol.dispose]: () => undefined };
}

function leaseAll(
  targets: readonly string[],
  leaseOf: (target: string) => Lease,
): Disposable & { readonly list: readonly Lease[] } {
  using stack = new DisposableStack();
  const list = targets.map((target) => stack.use(leaseOf(target)));
  const owned = stack.move();
  return { list, [Symbol.dispose]: () => owned.dispose() };
}
