import { describeError, type Clock } from "@talos-ts/base";
import { weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import { createKubernetesClient, kinds } from "@talos-ts/kubernetes";
import { KubernetesAccessConfig } from "@talos-ts/machinery/resources/kubeaccess";
import { KubernetesSecret, OSRootSecret } from "@talos-ts/machinery/resources/secrets";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { createEtcdMutex, mutexNames, type WithMutex } from "../../etcd/mutex.ts";
import { createFollowedObjects } from "../k8s/internal/followed-objects.ts";
import { adminAccess, type NodeAccess } from "../k8s/internal/kubernetes-access.ts";
import type { AccountObject } from "./internal/account.ts";
import { createLeadership } from "./internal/leadership.ts";
import { createOwnedSecrets } from "./internal/owned-secrets.ts";
import { syncAccount, type SyncContext } from "./internal/sync-account.ts";

/** Time between looks at all accounts, for certificates that end, in ms. */
const intervalMs = 60_000;
/** Time until another attempt when an account could not be served, in ms. */
const retryMs = 5000;

export interface ServiceAccountOptions {
  readonly clock: Clock;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
  /** @default a lock in the etcd of this machine */
  readonly withMutex?: WithMutex;
}

interface Issuer extends Pick<SyncContext, "rules" | "authority"> {
  readonly access: NodeAccess;
}

/**
 * Issues client configurations for pods: a secret for every `ServiceAccount` of `talos.dev` whose namespace and roles the
 * configuration allows, renewed before its certificate ends. One control plane does it at a time.
 */
export function serviceAccountController(machine: ServiceAccountOptions): Controller {
  const { clock, withMutex = createEtcdMutex(machine) } = machine;

  async function syncAll(
    context: ControllerContext,
    { access, ...issuer }: Issuer,
    held: AbortSignal,
    accounts: readonly AccountObject[],
  ): Promise<boolean> {
    using client = createKubernetesClient({ access: access.access, clock });
    const sync = { ...issuer, client, signal: held, now: new Date(clock.now()) };
    let whole = true;
    for (const account of accounts) {
      const { name = "", namespace = "", deletionTimestamp } = account.metadata;
      if (deletionTimestamp !== undefined) continue;
      const key = `${namespace}/${name}`;
      try {
        const done = await syncAccount(account, sync);
        if (done !== undefined) context.logger.info(`${done} the secret of a service account`, { account: key });
      } catch (err) {
        if (held.aborted) return false;
        whole = false;
        context.logger.warn("error syncing service account", { account: key, error: describeError(err) });
      }
    }
    return whole;
  }

  return {
    name: "kubeaccess.CRDController",
    inputs: [
      weak(KubernetesAccessConfig, { id: KubernetesAccessConfig.id }),
      weak(KubernetesSecret, { id: KubernetesSecret.id }),
      weak(OSRootSecret, { id: OSRootSecret.id }),
      weak(Service, { id: "etcd" }),
    ],
    outputs: [],
    async run(context) {
      await using leadership = createLeadership(context, { clock, withMutex }, mutexNames.serviceAccounts);
      using accounts = createFollowedObjects<AccountObject>(context, machine, "service account watch error");
      using secrets = createOwnedSecrets(context, machine);
      for await (const _event of context.events) {
        const issuer = await issuerOf(context);
        leadership.set(issuer !== undefined);
        const { held } = leadership;
        const leads = issuer !== undefined && held !== undefined ? issuer : undefined;
        accounts.set(leads && { kind: kinds.talosServiceAccount, access: leads.access });
        secrets.set(leads && { namespaces: leads.rules.namespaces, access: leads.access });
        if (leads !== undefined && held !== undefined && accounts.objects !== undefined) {
          const whole = await syncAll(context, leads, held, accounts.objects);
          context.queueReconcile(whole ? intervalMs : retryMs);
        }
        context.resetRestartBackoff();
      }
    },
  };
}

/** Rules and authority to issue with; `undefined` while the access is off or something is missing. */
async function issuerOf(context: ControllerContext): Promise<Issuer | undefined> {
  const config = (await context.find(KubernetesAccessConfig, KubernetesAccessConfig.id))?.spec;
  if (config?.enabled !== true) return undefined;
  // Without etcd neither the lock nor the API server answers.
  if ((await context.find(Service, "etcd"))?.spec.healthy !== true) return undefined;
  const authority = (await context.find(OSRootSecret, OSRootSecret.id))?.spec.issuingCA;
  const access = await adminAccess(context, "localhostAdminKubeconfig");
  if (authority === undefined || access === undefined) return undefined;
  const rules = { namespaces: config.allowedKubernetesNamespaces, roles: config.allowedAPIRoles };
  return { access, authority, rules };
}
