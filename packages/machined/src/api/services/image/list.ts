import { listImages } from "../../../images/list-images.ts";
import type { ImageMethod } from "./method.ts";
import type { ImageStore } from "../../../images/image-store.ts";
import { imageNamespace } from "./image-namespace.ts";

export const list = (machine: { readonly images: ImageStore }): ImageMethod<"list"> =>
  async function* ({ containerd }, { signal }) {
    await using client = machine.images.connect(imageNamespace(containerd));
    for await (const { name, digest, size, createdAt, labels } of listImages(client, signal)) {
      yield { name, digest, size, labels, ...(createdAt === undefined ? {} : { createdAt }) };
    }
  };
