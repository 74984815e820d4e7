import type { Linux } from "@talos-ts/linux";
import { openInspector } from "../../support/containers/open-inspector.ts";
import type { MachineMethod } from "./method.ts";

export const containers =
  (machine: { readonly linux: Linux; readonly root: string }): MachineMethod<"containers"> =>
  async (request, { signal }) => {
    await using inspector = await openInspector(machine, request);
    const found = await inspector.list(signal);
    return {
      messages: [
        {
          containers: found.map((container) => ({
            namespace: request.namespace,
            id: container.display,
            internalId: container.internalId,
            uid: container.uid,
            podId: container.podId,
            name: container.name,
            image: container.image,
            pid: container.pid,
            status: container.status,
            networkNamespace: container.networkNamespace,
          })),
        },
      ],
    };
  };
