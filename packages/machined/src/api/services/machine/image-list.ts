import { listImages } from "../../../images/list-images.ts";
import type { Handler } from "./handler.ts";
import { criNamespace } from "../image/image-namespace.ts";

export const imageList: Handler<"imageList"> = (machine) =>
  async function* ({ namespace }, { signal }) {
    await using client = machine.images.connect(criNamespace(namespace));
    for await (const { name, digest, size, createdAt } of listImages(client, signal)) {
      yield { name, digest, size, ...(createdAt === undefined ? {} : { createdAt }) };
    }
  };
