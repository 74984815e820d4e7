import { gzipSync } from "node:zlib";
import { goDurationMs, type Clock } from "@talos-ts/base";
import { bundleFromConfig, issueLeaf } from "@talos-ts/machinery/secrets";
import { kubeconfig as renderKubeconfig } from "../../../controllers/secrets/internal/kubeconfig.ts";
import { authoritiesFromConfig } from "../../../controllers/secrets/internal/config-pem.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import { tarEnd, tarHeader, tarPadding } from "../../support/files/tar-header.ts";
import type { ConfigStore } from "../../../config-store.ts";
import type { MachineMethod } from "./method.ts";

/** Issues an administrator's access to Kubernetes: a compressed archive with the one file `kubeconfig`. */
export const kubeconfig = (machine: {
  readonly clock: Clock;
  readonly config: ConfigStore;
}): MachineMethod<"kubeconfig"> =>
  async function* () {
    const { main, cluster = {} } = await requireControlPlane(machine, "kubeconfig");
    const now = machine.clock.now();
    const lifetime = cluster.adminKubeconfig?.certLifetime;
    const client = await issueLeaf("userAdmin", bundleFromConfig(main).certs.k8s, undefined, {
      now: new Date(now),
      ...(lifetime !== undefined && { lifetimeMs: goDurationMs(lifetime) }),
    });
    const content = Buffer.from(
      renderKubeconfig({
        cluster: cluster.clusterName ?? "",
        server: cluster.controlPlane?.endpoint ?? "",
        acceptedCAs: authoritiesFromConfig(cluster.ca, cluster.acceptedCAs, "cluster").acceptedCAs,
        user: "admin",
        context: "admin",
        client,
      }),
    );
    const header = tarHeader({
      name: "kubeconfig",
      kind: "file",
      stats: { mode: 0o600, uid: 0, gid: 0, mtimeMs: now, rdev: 0 },
      size: content.length,
      link: "",
    });
    yield { bytes: gzipSync(Buffer.concat([header, content, tarPadding(content.length), tarEnd])) };
  };
