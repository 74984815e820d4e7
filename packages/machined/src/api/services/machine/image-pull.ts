import type { Handler } from "./handler.ts";
import { criNamespace } from "../image/image-namespace.ts";

export const imagePull: Handler<"imagePull"> =
  (machine) =>
  async ({ namespace, reference }, { signal }) => {
    await machine.images.pull(reference, { namespace: criNamespace(namespace), signal });
    return { messages: [{}] };
  };
