import { connectContainerd, inspectContainers } from "../containers/inspect-containers.ts";
import type { Handler } from "../handler.ts";

export const stats: Handler<"stats"> =
  (machine) =>
  async (request, { signal }) => {
    await using client = connectContainerd(machine, request);
    const found = await inspectContainers(client, signal);
    const cgroups = await machine.linux.cgroups();
    const measured = await Promise.all(
      found.map(async ({ cgroup, display, name, podId }) => {
        if (cgroup === undefined) return undefined;
        // A container may end while it is measured.
        const usage = await cgroups.stats(cgroup).catch(() => undefined);
        if (usage === undefined) return undefined;
        return {
          namespace: request.namespace,
          id: display,
          podId,
          name,
          memoryUsage: usage.memoryBytes ?? 0n,
          cpuUsage: (usage.cpuMicroseconds ?? 0n) * 1000n,
        };
      }),
    );
    return { messages: [{ stats: measured.filter((stat) => stat !== undefined) }] };
  };
