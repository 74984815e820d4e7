import { createBackoff, describeError, OsError } from "@talos-ts/base";
import { exclusive, kindOf, reconcileController, RequeueAfter, weak, type Controller } from "@talos-ts/cosi";
import { exists, readOptional } from "@talos-ts/host";
import { kubernetesPaths } from "@talos-ts/machinery/constants";
import { Nodename, StaticPodStatus } from "@talos-ts/machinery/resources/k8s";
import { KubernetesDynamicCert, KubernetesRootSecret } from "@talos-ts/machinery/resources/secrets";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { jsonObject } from "../internal/json-object.ts";
import { kubeletPods, type KubeletPod } from "./internal/kubelet-client.ts";

const kubelet = "kubelet";
/** Interval at which the kubelet is asked: while pods come up, and once all of them are ready. */
const startingMs = 1000;
const steadyMs = 15_000;

/** Source of static pods in the annotation of the kubelet; others come from the API server. */
const staticSources: ReadonlySet<string | undefined> = new Set(["file", "http"]);

export interface KubeletStaticPodOptions {
  readonly root: string;
  /** Port of the kubelet, for tests. */
  readonly port?: number;
}

/**
 * Status of the static pods, asked from the kubelet with the client certificate of the API server. Only control plane machines
 * have that certificate.
 */
export function kubeletStaticPodController({ root, port }: KubeletStaticPodOptions): Controller {
  const backoff = createBackoff({ initialMs: startingMs, maxMs: steadyMs, factor: 1.3, jitter: 0.1 });
  return reconcileController({
    name: "k8s.KubeletStaticPodController",
    inputs: [
      weak(Nodename, { id: Nodename.id }),
      weak(Service, { id: kubelet }),
      weak(KubernetesDynamicCert, { id: KubernetesDynamicCert.id }),
      weak(KubernetesRootSecret, { id: KubernetesRootSecret.id }),
    ],
    outputs: [exclusive(StaticPodStatus)],
    cleanup: [kindOf(StaticPodStatus)],
    async reconcile(context) {
      const service = await context.find(Service, kubelet);
      const ca = (await context.find(KubernetesRootSecret, KubernetesRootSecret.id))?.spec.issuingCA;
      const certificates = await context.find(KubernetesDynamicCert, KubernetesDynamicCert.id);
      const client = certificates?.spec.apiServerKubeletClient;
      if (service?.spec.running !== true || ca === undefined || client === undefined) return;
      const { nodename, skipNodeRegistration } = (await context.get(Nodename, Nodename.id)).spec;
      // Before it has access to the API server, the kubelet can authorize nobody.
      if (!skipNodeRegistration && !(await exists(`${root}${kubernetesPaths.kubeletCertificate}`))) {
        context.queueReconcile(startingMs);
        return;
      }
      // There is no such file when the kubelet has its certificate from the cluster.
      const own = await readOptional(`${root}${kubernetesPaths.kubeletPki}/kubelet.crt`);
      const trusted = [ca.crt, ...(own === undefined ? [] : [own.toString()])];
      const options = { nodename, client, trusted, ...(port === undefined ? {} : { port }) };
      const pods = await kubeletPods(options, context.signal).catch((err: unknown) => {
        throw new RequeueAfter(backoff.next(), { cause: refreshFailure(err) });
      });
      backoff.reset();
      const ours = pods.filter(({ metadata }) =>
        staticSources.has(metadata.annotations?.["kubernetes.io/config.source"]),
      );
      for (const { metadata, status } of ours) {
        await context.put(StaticPodStatus, `${metadata.namespace}/${metadata.name}`, () => jsonObject(status));
      }
      context.queueReconcile(ours.length > 0 && ours.every(isReady) ? steadyMs : startingMs);
    },
  });
}

function isReady({ status }: KubeletPod): boolean {
  const conditions = status?.["conditions"];
  if (!Array.isArray(conditions)) return false;
  return conditions.map(jsonObject).some(({ type, status: value }) => type === "Ready" && value === "True");
}

function refreshFailure(err: unknown): OsError {
  const { kind, code, next } = OsError.from(err);
  return new OsError({
    kind,
    code,
    message: `error refreshing pod status: error fetching pod status: ${describeError(err)}`,
    ...(next === undefined ? {} : { next }),
    cause: err,
  });
}
