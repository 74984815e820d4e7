import { randomBytes } from "node:crypto";
import { isKind } from "@talos-ts/base";
import type { PemPair } from "@talos-ts/crypto";
import { kinds, type KubernetesClient } from "@talos-ts/kubernetes";
import { isCurrent, issueTalosconfig } from "./account-talosconfig.ts";
import { refusalOf, rolesOf, type AccessRules, type AccountObject, type SecretObject } from "./account.ts";

/** Key of the secret, which is the name of the file in the pod. */
const fileName = "config";
const component = "talos-sa-controller";

export interface SyncContext {
  readonly client: KubernetesClient;
  readonly signal: AbortSignal;
  readonly rules: AccessRules;
  readonly authority: PemPair;
  readonly now: Date;
}

/**
 * Gives an account the secret that it asks for, or says in its status and an event why not. Resolves to what was done with the
 * secret, or `undefined` if nothing.
 */
export async function syncAccount(
  account: AccountObject,
  context: SyncContext,
): Promise<"created" | "renewed" | undefined> {
  const secret = await findSecret(account, context);
  const refusal = refusalOf(account, secret, context.rules);
  if (refusal !== undefined) {
    if (account.status?.failureReason === refusal.message) return undefined;
    await writeStatus(account, context, refusal.message);
    await writeEvent(account, context, "Warning", refusal.reason, refusal.message);
    return undefined;
  }
  const done = await writeSecret(account, secret, context);
  if (account.status?.failureReason !== undefined) await writeStatus(account, context, null);
  if (done !== undefined) await writeEvent(account, context, "Normal", "Synced", "Synced successfully");
  return done;
}

async function findSecret(account: AccountObject, { client, signal }: SyncContext): Promise<SecretObject | undefined> {
  try {
    return await client.get<SecretObject>({ ...kinds.secret, ...nameOf(account) }, { signal });
  } catch (err) {
    if (isKind(err, "not-found")) return undefined;
    throw err;
  }
}

async function writeSecret(
  account: AccountObject,
  secret: SecretObject | undefined,
  { client, signal, authority, now }: SyncContext,
): Promise<"created" | "renewed" | undefined> {
  const roles = rolesOf(account) ?? [];
  const present = Buffer.from(secret?.data?.[fileName] ?? "", "base64").toString();
  if (secret !== undefined && isCurrent(present, authority, roles, now)) return undefined;
  const text = Buffer.from(await issueTalosconfig(authority, roles, now)).toString("base64");
  const kind = { apiVersion: "v1", kind: "Secret" };
  if (secret !== undefined) {
    await client.update({ ...secret, ...kind, data: { ...secret.data, [fileName]: text } }, { signal });
    return "renewed";
  }
  const { name = "", uid = "" } = account.metadata;
  const { apiVersion, kind: ownerKind } = kinds.talosServiceAccount;
  // Kubernetes removes the secret with its owner.
  const owner = { apiVersion, kind: ownerKind, name, uid, controller: true, blockOwnerDeletion: true };
  const metadata = { ...nameOf(account), ownerReferences: [owner] };
  await client.create({ ...kind, metadata, data: { [fileName]: text } }, { signal });
  return "created";
}

/** @param failureReason `null` removes it. */
async function writeStatus(
  account: AccountObject,
  { client, signal }: SyncContext,
  failureReason: string | null,
): Promise<void> {
  const ref = { ...kinds.talosServiceAccount, ...nameOf(account) };
  await client.patch(ref, { status: { failureReason } }, { type: "merge", signal });
}

async function writeEvent(
  account: AccountObject,
  { client, signal, now }: SyncContext,
  type: "Normal" | "Warning",
  reason: string,
  message: string,
): Promise<void> {
  const { name, namespace } = nameOf(account);
  const { uid, resourceVersion } = account.metadata;
  const { apiVersion, kind } = kinds.talosServiceAccount;
  const time = now.toISOString().replace(/\.\d+Z$/, "Z");
  await client.create(
    {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: `${name}.${randomBytes(8).toString("hex")}`, namespace },
      involvedObject: { apiVersion, kind, name, namespace, uid, resourceVersion },
      type,
      reason,
      message,
      source: { component },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    },
    { signal },
  );
}

function nameOf({ metadata: { name = "", namespace = "" } }: AccountObject): {
  readonly name: string;
  readonly namespace: string;
} {
  return { name, namespace };
}
