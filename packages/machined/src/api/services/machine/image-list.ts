import { listImages } from "../../../images/list-images.ts";
import type { ImageStore } from "../../../images/image-store.ts";
import type { MachineMethod } from "./method.ts";
import { criNamespace } from "../image/image-namespace.ts";

export const imageList = (machine: { readonly images: ImageStore }): MachineMethod<"imageList"> =>
  async function* ({ namespace }, { signal }) {
    await using client = machine.images.connect(criNamespace(namespace));
    for await (const { name, digest, size, createdAt } of listImages(client, signal)) {
      yield { name, digest, size, ...(createdAt === undefined ? {} : { createdAt }) };
    }
  };
