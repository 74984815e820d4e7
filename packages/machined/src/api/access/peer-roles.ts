import type { Clock } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import { listTyped, type State } from "@talos-ts/cosi";
import type { Peer } from "@talos-ts/grpc";
import { intersectRoles, roles, roleSet, type RoleSet } from "@talos-ts/machinery/roles";
import { ServicePID } from "@talos-ts/machinery/resources/runtime";

/** Maximum roles per local service: all roles, or these. */
const ceilings: Readonly<Record<string, RoleSet | "all">> = {
  apid: "all",
  containerd: roleSet(roles.imageVerifier),
  cri: roleSet(roles.imageVerifier),
  dashboard: roleSet(roles.reader, roles.metaWriter),
  // machined only dials itself to see whether it still answers.
  machined: roleSet(),
};

/** A service that was just started may call before its PID is registered. */
const timeoutMs = 5000;
const pauseMs = 50;

/** The service behind a process, or `undefined` when it is none of ours. */
async function serviceOfPid(
  machine: { readonly linux: Linux; readonly clock: Clock; readonly state: State },
  pid: number,
): Promise<string | undefined> {
  const until = machine.clock.monotonic() + timeoutMs;
  for (;;) {
    const known = await listTyped(machine.state, ServicePID);
    const service = known.find(({ spec }) => spec.pid === pid);
    if (service !== undefined) return service.metadata.id;
    if (pid === process.pid) return "machined";
    if (machine.clock.monotonic() >= until) return undefined;
    await machine.clock.sleep(pauseMs);
  }
}

/** Identifies the local service that is the peer of a socket; the kernel is asked once per connection. */
export function createPeerServices(machine: {
  readonly linux: Linux;
  readonly clock: Clock;
  readonly state: State;
}): (peer: Peer) => Promise<string | undefined> {
  const known = new WeakMap<object, Promise<string | undefined>>();
  return ({ socket }) => {
    let service = known.get(socket);
    if (service === undefined) {
      service = serviceOfPid(machine, machine.linux.processes.peerCredentials(socket).pid);
      known.set(socket, service);
    }
    return service;
  };
}

/** The roles a caller claims, cut down to what the service it is may have. */
export function rolesOfService(service: string | undefined, claimed: RoleSet): RoleSet {
  if (service === undefined) return roleSet();
  const ceiling = service.startsWith("ext-") ? "all" : (ceilings[service] ?? roleSet());
  return ceiling === "all" ? claimed : intersectRoles(claimed, ceiling);
}
