import type { Clock } from "@talos-ts/base";
import { weak, type Controller } from "@talos-ts/cosi";
import {
  KubernetesRootSecret,
  KubernetesSecret,
  type KubernetesRootSecretSpec,
} from "@talos-ts/machinery/resources/secrets";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { issueLeaf, type LeafName } from "@talos-ts/machinery/secrets";
import { issuingController } from "./internal/issuing-controller.ts";
import { kubeconfig } from "./internal/kubeconfig.ts";
import { missingSecret } from "./internal/missing-secret.ts";

/** Half the life of certificates of Kubernetes, which is a year. */
export const kubernetesRefreshMs = (365 * 24 * 3_600_000) / 2;

/** Kubeconfigs that are made: with which certificate, under which names, and for which end of the API. */
const rows = {
  controllerManagerKubeconfig: {
    leaf: "controllerManager",
    user: "system:kube-controller-manager",
    context: "default",
    endpoint: "localEndpoint",
  },
  schedulerKubeconfig: {
    leaf: "scheduler",
    user: "system:kube-scheduler",
    context: "default",
    endpoint: "localEndpoint",
  },
  adminKubeconfig: { leaf: "internalAdmin", user: "admin", context: "admin", endpoint: "endpoint" },
  localhostAdminKubeconfig: { leaf: "internalAdmin", user: "admin", context: "admin", endpoint: "localEndpoint" },
} as const satisfies Record<string, Row>;

interface Row {
  readonly leaf: Extract<LeafName, "controllerManager" | "scheduler" | "internalAdmin">;
  readonly user: string;
  readonly context: string;
  readonly endpoint: "endpoint" | "localEndpoint";
}

/** Kubeconfigs of the control plane and of the machine's own controllers. */
export function kubernetesKubeconfigsController({ clock }: { readonly clock: Clock }): Controller {
  async function make(root: KubernetesRootSecretSpec, row: Row): Promise<string> {
    if (root.issuingCA === undefined) throw missingSecret("cluster.ca.key");
    return kubeconfig({
      cluster: root.name,
      server: root[row.endpoint],
      acceptedCAs: root.acceptedCAs,
      user: row.user,
      context: row.context,
      client: await issueLeaf(row.leaf, root.issuingCA, undefined, { now: new Date(clock.now()) }),
    });
  }

  return issuingController({
    name: "secrets.KubernetesController",
    inputs: [weak(KubernetesRootSecret, { id: KubernetesRootSecret.id }), weak(TimeStatus, { id: TimeStatus.id })],
    output: KubernetesSecret,
    clock,
    refreshMs: kubernetesRefreshMs,
    async plan(context) {
      const root = await context.find(KubernetesRootSecret, KubernetesRootSecret.id);
      if (root === undefined) return "none";
      const time = await context.find(TimeStatus, TimeStatus.id);
      if (time?.spec.synced !== true) return undefined;
      return {
        basis: [root, `epoch ${String(time.spec.epoch)}`],
        issue: async () =>
          KubernetesSecret.spec({
            controllerManagerKubeconfig: await make(root.spec, rows.controllerManagerKubeconfig),
            schedulerKubeconfig: await make(root.spec, rows.schedulerKubeconfig),
            adminKubeconfig: await make(root.spec, rows.adminKubeconfig),
            localhostAdminKubeconfig: await make(root.spec, rows.localhostAdminKubeconfig),
          }),
      };
    },
  });
}
