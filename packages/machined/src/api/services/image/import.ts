import { OsError } from "@talos-ts/base";
import type { ContainerdInstance } from "@talos-ts/proto/common/common";
import type { ImageServiceImportRequest } from "@talos-ts/proto/machine/image";
import { importImages } from "../../../images/import-image.ts";
import type { ImageStore } from "../../../images/image-store.ts";
import type { ImageMethod } from "./method.ts";
import { imageNamespace } from "./image-namespace.ts";

/** Named so because `import` is a word of the language. */
export const importImage =
  (machine: { readonly images: ImageStore }): ImageMethod<"import"> =>
  async (requests, { signal }) => {
    const messages = requests[Symbol.asyncIterator]();
    const containerd = instanceIn(await messages.next());
    await using client = machine.images.connect(imageNamespace(containerd));
    const [first] = await importImages(client, chunks(messages), signal);
    return { name: first?.name ?? "" };
  };

function instanceIn({ done, value }: IteratorResult<ImageServiceImportRequest>): ContainerdInstance {
  if (done !== true && value.request.case === "containerd") return value.request.value;
  throw outOfOrder("the first message must name the containerd namespace");
}

async function* chunks(
  messages: AsyncIterator<ImageServiceImportRequest>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const { done, value } = await messages.next();
    if (done === true) return;
    if (value.request.case !== "imageChunk")
      throw outOfOrder("every message after the first must be a chunk of the image");
    yield value.request.value.bytes;
  }
}

function outOfOrder(message: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "image/bad-stream",
    message: `failed to import image: ${message}`,
  });
}
