import { OsError } from "@talos-ts/base";
import { createKubernetesClient } from "@talos-ts/kubernetes";
import { openResources } from "@talos-ts/machinery/client/resources";
import { APIServerConfig } from "@talos-ts/machinery/resources/k8s";
import { compareVersions } from "./upgrade-path.ts";
import type { Upgrade } from "./upgrade.ts";

/** A version of an API that somebody has used since the API server was started, and that will go. */
export interface DeprecatedApi {
  /** As in `flowcontrol.apiserver.k8s.io/v1beta3 flowschemas`. */
  readonly title: string;
  /** Release without it, as in `1.32`. */
  readonly removedIn: string;
}

const metric = "apiserver_requested_deprecated_apis";

/**
 * Reads from the metrics of an API server which deprecated APIs it was asked for.
 *
 * @see https://kubernetes.io/docs/reference/using-api/deprecation-policy/#rest-resources-aka-api-objects
 */
export function readDeprecatedApis(metrics: string): readonly DeprecatedApi[] {
  return metrics.split("\n").flatMap((line) => {
    if (!line.startsWith(`${metric}{`)) return [];
    const labels = new Map([...line.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]));
    const [group = "", version = "", resource = "", removedIn = ""] = [
      "group",
      "version",
      "resource",
      "removed_release",
    ].map((name) => labels.get(name));
    return removedIn === "" ? [] : [{ title: `${group === "" ? "" : `${group}/`}${version} ${resource}`, removedIn }];
  });
}

/** @throws {OsError} `upgrade/removed-apis` when somebody uses an API that the new version does not have. */
export async function checkRemovedApis({ connection, nodes, access, path, log, signal }: Upgrade): Promise<void> {
  log("checking for removed Kubernetes API resource versions");
  const found = new Set<string>();
  for (const node of nodes.controlPlanes) {
    const { spec } = await openResources(connection, node, [APIServerConfig]).get(APIServerConfig, APIServerConfig.id);
    const host = node.includes(":") ? `[${node}]` : node;
    using client = createKubernetesClient({
      access: { ...access, server: `https://${host}:${String(spec.localPort)}` },
      maxBytes: 64 * 1024 * 1024,
    });
    for (const { title, removedIn } of readDeprecatedApis(await client.text("/metrics", { signal }))) {
      const isGone =
        compareVersions(`${removedIn}.0`, path.to) <= 0 && compareVersions(`${removedIn}.0`, path.from) > 0;
      if (isGone) found.add(`${title} (removed in ${removedIn})`);
    }
  }
  if (found.size === 0) return;
  throw new OsError({
    kind: "failed-precondition",
    code: "upgrade/removed-apis",
    message: `Cannot upgrade Kubernetes to ${path.to}: clients of the cluster use APIs that it does not have: ${[...found].toSorted().join(", ")}`,
    next: `kubectl get --raw /metrics | grep ${metric}`,
  });
}
