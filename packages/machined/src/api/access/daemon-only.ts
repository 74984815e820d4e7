import type { ServerInterceptor } from "@talos-ts/grpc";
import { notAuthorized } from "@talos-ts/machinery/roles";
import type { Machine } from "../../machine.ts";
import { createPeerServices } from "./peer-roles.ts";

/** Serves nobody but one daemon, whatever else may open its socket. */
export function daemonOnly(machine: Machine, daemon: string): ServerInterceptor {
  const serviceOf = createPeerServices(machine);
  return async (context, next) => {
    if ((await serviceOf(context.peer)) !== daemon) throw notAuthorized();
    await next();
  };
}
