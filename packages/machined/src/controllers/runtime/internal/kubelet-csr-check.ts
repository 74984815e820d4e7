import { request } from "node:https";
import { describeError, isRecord, type Clock } from "@talos-ts/base";
import { weak } from "@talos-ts/cosi";
import { createKubernetesClient, kinds, type KubernetesObject } from "@talos-ts/kubernetes";
import { KubeletKubeconfig, KubeletSpec, Nodename, type KubeletSpecSpec } from "@talos-ts/machinery/resources/k8s";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { kubeletAccess } from "../../k8s/internal/kubernetes-access.ts";
import type { DiagnosticCheck } from "./diagnostic-checks.ts";

const servingSigner = "kubernetes.io/kubelet-serving";
const kubeletPort = 10_250;
const probeMs = 5000;

export interface KubeletCsrOptions {
  readonly clock: Clock;
  readonly root: string;
  /** Resolves to why the API of the kubelet cannot be reached; `undefined` when it can. Default: a TLS handshake. */
  readonly probe?: () => Promise<string | undefined>;
}

/** Finds a kubelet that asked for a server certificate, which nobody approves: logs, exec and metrics of its pods do not work. */
export function kubeletCsrCheck({ clock, root, probe = probeKubelet }: KubeletCsrOptions): DiagnosticCheck {
  return {
    id: "kubelet-csr",
    hysteresisMs: 30_000,
    inputs: [
      weak(Nodename, { id: Nodename.id }),
      weak(KubeletSpec, { id: KubeletSpec.id }),
      weak(KubeletKubeconfig, { id: KubeletKubeconfig.id }),
      weak(Service),
    ],
    async check(reader) {
      const kubelet = (await reader.find(KubeletSpec, KubeletSpec.id))?.spec;
      const nodename = (await reader.find(Nodename, Nodename.id))?.spec.nodename;
      const running = (await reader.find(Service, "kubelet"))?.spec.running === true;
      if (kubelet === undefined || nodename === undefined || !running || !rotatesServerCertificate(kubelet))
        return undefined;
      const problem = await probe();
      const access = await kubeletAccess(reader, root);
      if (problem === undefined || access === undefined) return undefined;
      using client = createKubernetesClient({ access: access.access, clock });
      const { items } = await client.list<SigningRequest>(kinds.csr);
      const pending = items.filter((csr) => isPending(csr, nodename)).map(({ metadata }) => metadata.name ?? "");
      if (pending.length === 0) return undefined;
      return {
        message: "kubelet server certificate rotation is enabled, but CSR is not approved",
        details: [`kubelet API error: ${problem}`, `pending CSRs: ${pending.join(", ")}`],
      };
    },
  };
}

interface SigningRequest extends KubernetesObject {
  readonly spec?: { readonly signerName?: string; readonly username?: string };
  readonly status?: { readonly conditions?: readonly unknown[] };
}

function isPending({ spec, status }: SigningRequest, nodename: string): boolean {
  const own = spec?.signerName === servingSigner && spec.username === `system:node:${nodename}`;
  return own && (status?.conditions ?? []).length === 0;
}

function rotatesServerCertificate({ config, args }: KubeletSpecSpec): boolean {
  if (isRecord(config) && config["serverTLSBootstrap"] === true) return true;
  return args.some(
    (argument) => argument === "--rotate-server-certificates" || argument === "--rotate-server-certificates=true",
  );
}

/** The handshake alone tells: a kubelet without a certificate ends it. */
function probeKubelet(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = request(
      {
        host: "127.0.0.1",
        port: kubeletPort,
        path: "/healthz",
        rejectUnauthorized: false,
        agent: false,
        timeout: probeMs,
      },
      (response) => {
        response.resume();
        resolve(undefined);
      },
    );
    probe.once("timeout", () => probe.destroy(new Error(`no answer within ${String(probeMs)} ms`)));
    probe.once("error", (err) => resolve(describeError(err)));
    probe.end();
  });
}
