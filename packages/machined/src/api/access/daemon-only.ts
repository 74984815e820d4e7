import type { ServerInterceptor } from "@talos-ts/grpc";
import { notAuthorized } from "@talos-ts/machinery/roles";
import type { Machine } from "../../machine.ts";
import { serviceOfPid } from "./peer-roles.ts";

/** Serves nobody but one daemon, whatever else may open its socket. */
export function daemonOnly(machine: Machine, daemon: string): ServerInterceptor {
  const peers = new WeakMap<object, Promise<string | undefined>>();
  return async (context, next) => {
    const { socket } = context.peer;
    let service = peers.get(socket);
    if (service === undefined) {
      service = serviceOfPid(machine, machine.linux.processes.peerCredentials(socket).pid);
      peers.set(socket, service);
    }
    if ((await service) !== daemon) {
      throw notAuthorized();
    }
    await next();
  };
}
