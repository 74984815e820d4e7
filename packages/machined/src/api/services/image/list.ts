import { listImages } from "../../../images/list-images.ts";
import type { ImageHandler } from "./handler.ts";
import { imageNamespace } from "./image-namespace.ts";

export const list: ImageHandler<"list"> = (machine) =>
  async function* ({ containerd }, { signal }) {
    await using client = machine.images.connect(imageNamespace(containerd));
    for await (const { name, digest, size, createdAt, labels } of listImages(client, signal)) {
      yield { name, digest, size, labels, ...(createdAt === undefined ? {} : { createdAt }) };
    }
  };
