import { constants } from "node:os";
import { OsError } from "@talos-ts/base";
import { connectContainerd, inspectContainers } from "../containers/inspect-containers.ts";
import type { Handler } from "../handler.ts";

/** Asks a container to end; whoever runs it starts it again. */
export const restart: Handler<"restart"> =
  (machine) =>
  async (request, { signal }) => {
    await using client = connectContainerd(machine, request);
    const found = await inspectContainers(client, signal);
    const container = found.find(({ display, internalId }) => request.id === display || request.id === internalId);
    if (container === undefined) {
      throw new OsError({
        kind: "not-found",
        code: "containers/not-found",
        message: `container "${request.id}" not found`,
        next: "talosctl containers",
      });
    }
    await client.tasks.kill({ containerId: container.internalId, signal: constants.signals.SIGTERM }, { signal });
    return { messages: [{}] };
  };
