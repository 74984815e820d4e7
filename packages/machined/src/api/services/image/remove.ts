import { removeImage } from "../../../images/remove-image.ts";
import type { ImageHandler } from "./handler.ts";
import { imageNamespace } from "./image-namespace.ts";

export const remove: ImageHandler<"remove"> =
  (machine) =>
  async ({ containerd, imageRef }, { signal }) => {
    await using client = machine.images.connect(imageNamespace(containerd));
    await removeImage(client, imageRef, signal);
    return {};
  };
