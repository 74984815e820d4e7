import { OsError } from "@talos-ts/base";
import { kinds, type KubernetesClient, type PodObject } from "@talos-ts/kubernetes";
import { compareVersions, versionOfImage } from "./upgrade-path.ts";

const apps: ReadonlySet<string> = new Set([
  "kube-apiserver",
  "kube-controller-manager",
  "kube-proxy",
  "kube-scheduler",
]);

/** A pod with the images of its containers. */
interface PodWithImages extends PodObject {
  readonly spec?: PodObject["spec"] & {
    readonly containers?: readonly { readonly name: string; readonly image: string }[];
  };
}

/** Returns the lowest version of Kubernetes among the components that run. @throws {OsError} `upgrade/no-version` */
export async function detectLowestVersion(client: KubernetesClient, signal: AbortSignal): Promise<string> {
  const { items } = await client.list<PodWithImages>(kinds.pod, { namespace: "kube-system", signal });
  const versions = items.flatMap(({ metadata, spec }) => {
    const app = metadata.labels?.["k8s-app"] ?? "";
    const container = apps.has(app) ? spec?.containers?.find(({ name }) => name === app) : undefined;
    return container === undefined ? [] : [versionOfImage(container.image) ?? []].flat();
  });
  const [lowest] = versions.toSorted(compareVersions);
  if (lowest !== undefined) return lowest;
  throw new OsError({
    kind: "failed-precondition",
    code: "upgrade/no-version",
    message:
      "failed to detect lowest Kubernetes version: no control plane pod in kube-system has a version in its image",
    next: "talosctl upgrade-k8s --from <version>",
  });
}
