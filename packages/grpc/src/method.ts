import type { DescMethod } from "@bufbuild/protobuf";

/** Name and streaming kind of a method. */
export interface MethodInfo {
  /** Full name of the service, e.g. `machine.MachineService`. */
  readonly service: string;
  /** Name of the method as in the protobuf source, e.g. `Version`. */
  readonly name: string;
  /** `/service/name`. */
  readonly path: string;
  /** `unknown` when only the path is known, as in a proxy. */
  readonly kind: DescMethod["methodKind"] | "unknown";
}

/** Reads name and streaming kind from a descriptor. */
export function methodInfo(method: DescMethod): MethodInfo {
  const service = method.parent.typeName;
  return { service, name: method.name, path: `/${service}/${method.name}`, kind: method.methodKind };
}

/** The method that a `:path` names. */
export function methodOfPath(path: string): MethodInfo {
  const slash = path.lastIndexOf("/");
  return { service: path.slice(1, Math.max(1, slash)), name: path.slice(slash + 1), path, kind: "unknown" };
}
