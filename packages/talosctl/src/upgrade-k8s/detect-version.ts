import { isKind, OsError, type Clock } from "@talos-ts/base";
import { kinds, type KubernetesClient, type PodObject } from "@talos-ts/kubernetes";
import { compareVersions, versionOfImage } from "./upgrade-path.ts";
import { waitUntil } from "./wait-until.ts";

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

export interface DetectOptions {
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

const timeoutMs = 5 * 60_000;

/**
 * Returns the lowest version of Kubernetes among the components that run. An API server that does not answer is waited for: an upgrade
 * that was interrupted may have left it in the middle of its restart.
 *
 * @throws {OsError} `upgrade/no-version`
 */
export async function detectLowestVersion({ client, clock, signal, log }: DetectOptions): Promise<string> {
  const found = Promise.withResolvers<string>();
  const ask = async (limit: AbortSignal): Promise<undefined> => {
    try {
      found.resolve(await lowestVersion(client, limit));
    } catch (err) {
      if (isKind(err, "unavailable") || isKind(err, "deadline-exceeded")) throw err;
      found.reject(err);
    }
  };
  const tell = (reason: string): void => log(` > ${reason}`);
  const next = "talosctl health";
  await waitUntil(ask, { clock, signal, timeoutMs, what: "the API server", tell, next });
  return await found.promise;
}

async function lowestVersion(client: KubernetesClient, signal: AbortSignal): Promise<string> {
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
