import type { ImageStore } from "../../../images/image-store.ts";
import type { MachineMethod } from "./method.ts";
import { criNamespace } from "../image/image-namespace.ts";

export const imagePull =
  (machine: { readonly images: ImageStore }): MachineMethod<"imagePull"> =>
  async ({ namespace, reference }, { signal }) => {
    await machine.images.pull(reference, { namespace: criNamespace(namespace), signal });
    return { messages: [{}] };
  };
