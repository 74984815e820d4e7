import type { State } from "@talos-ts/cosi";
import type { Clock } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import type { ServerInterceptor } from "@talos-ts/grpc";
import { authorize, roleSet, type RoleSet } from "@talos-ts/machinery/roles";
import { metadataKeys } from "@talos-ts/machinery/constants";
import { createPeerServices, rolesOfService } from "./peer-roles.ts";

const callerRolesKey = Symbol("caller roles");

/** The roles of the caller, for handlers whose answer depends on more than the method. */
export function rolesOf(context: { readonly values: Map<symbol, unknown> }): RoleSet {
  return (context.values.get(callerRolesKey) as RoleSet | undefined) ?? roleSet();
}

/**
 * Lets a call pass if its caller may make it: the roles come from metadata, where apid puts what it read from the certificate;
 * who is at the other end of the socket is asked of the kernel, once per connection.
 */
export function roleInterceptor(machine: {
  readonly linux: Linux;
  readonly clock: Clock;
  readonly state: State;
}): ServerInterceptor {
  const serviceOf = createPeerServices(machine);
  return async (context, next) => {
    const claimed = roleSet(...context.valuesOf(metadataKeys.role));
    const caller = rolesOfService(await serviceOf(context.peer), claimed);
    authorize(context.method.path, caller);
    context.values.set(callerRolesKey, caller);
    await next();
  };
}
