import { connectContainerd, inspectContainers } from "../containers/inspect-containers.ts";
import type { Handler } from "../handler.ts";

export const containers: Handler<"containers"> =
  (machine) =>
  async (request, { signal }) => {
    await using client = connectContainerd(machine, request);
    const found = await inspectContainers(client, signal);
    return {
      messages: [
        {
          containers: found.map(({ display, internalId, name, podId, image, pid, status }) => ({
            namespace: request.namespace,
            id: display,
            internalId,
            podId,
            name,
            image,
            pid,
            status,
          })),
        },
      ],
    };
  };
