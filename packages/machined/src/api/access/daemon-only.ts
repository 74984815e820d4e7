import type { State } from "@talos-ts/cosi";
import type { Clock } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import type { ServerInterceptor } from "@talos-ts/grpc";
import { notAuthorized } from "@talos-ts/machinery/roles";
import { createPeerServices } from "./peer-roles.ts";

/** Serves nobody but one daemon, whatever else may open its socket. */
export function daemonOnly(
  machine: { readonly linux: Linux; readonly clock: Clock; readonly state: State },
  daemon: string,
): ServerInterceptor {
  const serviceOf = createPeerServices(machine);
  return async (context, next) => {
    if ((await serviceOf(context.peer)) !== daemon) throw notAuthorized();
    await next();
  };
}
