import { OsError } from "@talos-ts/base";
import {
  findTyped,
  readVerbs,
  resourceDefinitionType,
  namespaceType,
  type StateAccess,
  type State,
} from "@talos-ts/cosi";
import type { CallContext } from "@talos-ts/grpc";
import { notAuthorized, roles } from "@talos-ts/machinery/roles";
import { rolesOf } from "./role-interceptor.ts";

/**
 * Returns who may see which resource through the API: nobody writes, only known types in known namespaces are read, and sensitive types
 * are for administrators.
 */
export function statePolicy(state: State): (access: StateAccess, context: CallContext) => Promise<void> {
  const denied = (code: string, message: string): OsError =>
    new OsError({ kind: "permission-denied", code: `state/${code}`, message, next: "talosctl get rd" });

  return async (access, context) => {
    if (!readVerbs.has(access.verb)) throw denied("write", "write access is not allowed");
    const namespace = await findTyped(state, namespaceType, access.namespace);
    if (namespace === undefined) throw denied("namespace", `namespace "${access.namespace}" is not supported`);
    const definition = await findTyped(state, resourceDefinitionType, access.type.toLowerCase());
    if (definition === undefined) throw denied("type", `resource type "${access.type}" is not supported`);
    if (definition.spec.sensitivity === "" || rolesOf(context).has(roles.admin)) return;
    throw notAuthorized();
  };
}
