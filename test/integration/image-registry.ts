import { networkInterfaces } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { buildImages } from "@talos-ts/imager";
import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";
import { createRegistryServer, listen, openLayout } from "@talos-ts/oci";
import { imageReferences, kubernetesTag } from "@talos-ts/provision";

const port = 5000;
const lookAgainMs = 200;

/** A registry on the host's end of the network of a cluster. */
export interface ImageRegistry extends AsyncDisposable {
  /** Flags with which nodes pull from it. */
  readonly flags: readonly string[];
  /** Paths that were asked for. */
  readonly asked: ReadonlySet<string>;
}

/** Serves the images of a cluster. */
export async function serveClusterImages(gateway: string): Promise<ImageRegistry & { readonly kubectl: string }> {
  const references = imageReferences(defaultKubernetesVersion);
  const built = await buildImages({ references, kubernetes: kubernetesTag(defaultKubernetesVersion) });
  const registry = await serveImages(gateway, built.layout);
  return {
    kubectl: built.kubectl,
    flags: registry.flags,
    asked: registry.asked,
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

/** Serves images as soon as there is a network to serve them on: until then nodes are refused, and try again. */
export async function serveImages(gateway: string, path: string): Promise<ImageRegistry> {
  const layout = await openLayout(path);
  const asked = new Set<string>();
  const server = createRegistryServer({ layouts: () => [layout] });
  server.on("request", ({ url = "" }: { readonly url?: string }) => void asked.add(url));
  const stop = new AbortController();
  const listening = (async () => {
    while (!stop.signal.aborted && !isOwnAddress(gateway)) await pause(lookAgainMs);
    return stop.signal.aborted ? undefined : await listen(server, gateway, port);
  })();
  const hosts = ["registry.k8s.io", "ghcr.io"];
  return {
    flags: hosts.flatMap((host) => ["--registry-mirror", `${host}=http://${gateway}:${String(port)}`]),
    asked,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await (await listening)?.[Symbol.asyncDispose]();
    },
  };
}

function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === address));
}
