import { reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { exists } from "@talos-ts/host";
import { kubernetesPaths } from "@talos-ts/machinery/constants";
import { Nodename } from "@talos-ts/machinery/resources/k8s";
import { KubeletSecret } from "@talos-ts/machinery/resources/secrets";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import type { ServiceManager } from "../../services/service-manager.ts";
import { probeBootstrapToken, type BootstrapProbe } from "./internal/bootstrap-access.ts";

const kubelet = "kubelet";
const probeEveryMs = 1000;

export interface KubeletJoinOptions {
  readonly services: Pick<ServiceManager, "start" | "stop">;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
  /** @default asks the API server with the token */
  readonly probe?: BootstrapProbe;
}

/**
 * Restarts a kubelet that could not join yet once the API server accepts its token.
 *
 * The kubelet of a new cluster is there before the API server and its token. It waits up to 30 s between attempts to get a certificate
 * or to read services and nodes, so a restart, which no pod notices, is faster than waiting for it.
 */
export function kubeletJoinController({ services, root, probe = probeBootstrapToken }: KubeletJoinOptions): Controller {
  /** True when the present kubelet ran while its token was not accepted. */
  let tooEarly = false;
  return reconcileController({
    name: "k8s.KubeletJoinController",
    inputs: [
      weak(KubeletSecret, { id: KubeletSecret.id }),
      weak(Nodename, { id: Nodename.id }),
      weak(Service, { id: kubelet }),
    ],
    outputs: [],
    async reconcile(context) {
      const joined = await exists(`${root}${kubernetesPaths.kubeletCertificate}`);
      const secret = await context.find(KubeletSecret, KubeletSecret.id);
      const nodename = await context.find(Nodename, Nodename.id);
      const running = (await context.find(Service, kubelet))?.spec.running === true;
      if (!running) tooEarly = false;
      if (joined || !running || secret === undefined || nodename?.spec.skipNodeRegistration !== false) return;
      if (!(await probe(secret.spec, context.signal))) {
        tooEarly = true;
        context.queueReconcile(probeEveryMs);
        return;
      }
      if (!tooEarly) return;
      tooEarly = false;
      context.logger.info("restarting the kubelet to join: the API server accepts its token now");
      await services.stop(kubelet);
      services.start(kubelet);
    },
  });
}
