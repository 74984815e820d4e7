import { isRecord } from "@talos-ts/base";
import type { KubernetesObject } from "@talos-ts/kubernetes";

/** A `ServiceAccount` of `talos.dev`: the wish of a pod for access to the machine API. */
export interface AccountObject extends KubernetesObject {
  readonly spec?: { readonly roles?: readonly string[] | null };
  readonly status?: { readonly failureReason?: string };
}

/** The secret of the same name, with a talosconfig. */
export interface SecretObject extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Namespaces and roles that the configuration allows. */
export interface AccessRules {
  readonly namespaces: readonly string[];
  readonly roles: readonly string[];
}

/** Describes why an account gets no secret: reason of the event, and message in its status. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** Checks an account against the rules; `undefined` when it may have a secret. */
export function refusalOf(
  account: AccountObject,
  secret: SecretObject | undefined,
  { namespaces, roles }: AccessRules,
): Refusal | undefined {
  const { name = "", namespace = "" } = account.metadata;
  if (secret !== undefined && !isOwnedBy(secret, account)) {
    const message = `Secret already exists and is not managed by controller: ${namespace}/${name}`;
    return { reason: "ErrResourceExists", message };
  }
  const wanted = rolesOf(account);
  if (wanted === undefined) return { reason: "ErrRolesNotFound", message: "Roles not found" };
  if (!namespaces.includes(namespace)) {
    return { reason: "ErrNamespaceNotAllowed", message: `Namespace is not allowed: ${namespace}` };
  }
  const refused = wanted.filter((role) => !roles.includes(role));
  if (refused.length === 0) return undefined;
  return { reason: "ErrRolesNotAllowed", message: `Roles not allowed: [${refused.join(" ")}]` };
}

/** The roles that an account asks for; `undefined` when it names none. */
export function rolesOf({ spec }: AccountObject): readonly string[] | undefined {
  const wanted: unknown = isRecord(spec) ? spec["roles"] : undefined;
  if (!Array.isArray(wanted) || wanted.length === 0) return undefined;
  return wanted.every((role) => typeof role === "string") ? wanted : undefined;
}

function isOwnedBy(secret: SecretObject, account: AccountObject): boolean {
  const owner = secret.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner !== undefined && owner.uid === account.metadata.uid;
}
