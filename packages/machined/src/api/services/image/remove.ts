import { removeImage } from "../../../images/remove-image.ts";
import type { ImageStore } from "../../../images/image-store.ts";
import type { ImageMethod } from "./method.ts";
import { imageNamespace } from "./image-namespace.ts";

export const remove =
  (machine: { readonly images: ImageStore }): ImageMethod<"remove"> =>
  async ({ containerd, imageRef }, { signal }) => {
    await using client = machine.images.connect(imageNamespace(containerd));
    await removeImage(client, imageRef, signal);
    return {};
  };
