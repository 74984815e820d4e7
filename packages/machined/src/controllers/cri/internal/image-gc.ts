import type { Clock } from "@talos-ts/base";
import { reconcileController, weak, type Controller, type Input, type Reader } from "@talos-ts/cosi";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { formatReference, parseReference } from "@talos-ts/oci";
import { createContainerdClient } from "../../../containerd/client.ts";
import { imageNamespaces, type ImageNamespace } from "../../../images/namespaces.ts";
import { removeImage } from "../../../images/remove-image.ts";
import { collectableImages } from "./collectable-images.ts";

const intervalMs = 15 * 60_000;
const graceMs = 60 * 60_000;

export interface ImageGcOptions {
  readonly name: string;
  /** Service whose containerd keeps the images; while it is down nothing is collected. */
  readonly service: "containerd" | "cri";
  readonly namespace: ImageNamespace;
  /** References that are needed although no container has them now. */
  readonly needed?: { readonly inputs: readonly Input[]; references(reader: Reader): Promise<readonly string[]> };
}

/** Removes images of a namespace that no container has and nothing needs, an hour after they were last needed. */
export function imageGcController(
  { clock, root }: { readonly clock: Clock; readonly root: string },
  options: ImageGcOptions,
): Controller {
  const { socket, namespace } = imageNamespaces[options.namespace];
  let since: ReadonlyMap<string, number> = new Map();
  let nextMs = Number.NEGATIVE_INFINITY;
  return reconcileController({
    name: options.name,
    inputs: [weak(Service, { id: options.service }), ...(options.needed?.inputs ?? [])],
    outputs: [],
    async reconcile(context) {
      const service = await context.find(Service, options.service);
      if (service?.spec.healthy !== true) return;
      // A clock that is set ahead must not end the grace period of every image.
      const now = clock.monotonic();
      if (now < nextMs) return context.queueReconcile(nextMs - now);
      await using client = createContainerdClient(`${root}${socket}`, namespace);
      const { signal } = context;
      const [{ images }, { containers }] = await Promise.all([
        client.images.list({}, { signal }),
        client.containers.list({}, { signal }),
      ]);
      const needed = (await options.needed?.references(context)) ?? [];
      const used = new Set([...containers.map(({ image }) => image), ...needed.map(fullName)]);
      const present = images.map(({ name }) => name);
      const unused = collectableImages(present, used, since, now, graceMs);
      since = unused.since;
      for (const name of unused.collect) {
        await removeImage(client, name, signal);
        context.logger.info("deleted an image", { image: name });
      }
      nextMs = now + intervalMs;
      context.queueReconcile(intervalMs);
    },
  });
}

function fullName(reference: string): string {
  return formatReference(parseReference(reference));
}
